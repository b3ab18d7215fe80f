"""Fields that get a fixed value if they are absent, by type.

Types are named as in the catalog, without `io.k8s.api.`.

Source: the defaulting functions of k8s.io/kubernetes, 1.36.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TCP = {"protocol": "TCP"}
_MODE_0644 = {"defaultMode": 0o644}
_SELECTORS: dict[str, Any] = {"namespaceSelector": {}, "objectSelector": {}}
_WEBHOOK = {"failurePolicy": "Fail", "matchPolicy": "Equivalent", "timeoutSeconds": 10, **_SELECTORS}

CONSTANTS: Mapping[str, Mapping[str, Any]] = {
    "admissionregistration.v1.MatchResources": {"matchPolicy": "Equivalent", **_SELECTORS},
    "admissionregistration.v1.MutatingAdmissionPolicySpec": {"failurePolicy": "Fail"},
    "admissionregistration.v1.MutatingWebhook": {**_WEBHOOK, "reinvocationPolicy": "Never"},
    "admissionregistration.v1.NamedRuleWithOperations": {"scope": "*"},
    "admissionregistration.v1.RuleWithOperations": {"scope": "*"},
    "admissionregistration.v1.ServiceReference": {"port": 443},
    "admissionregistration.v1.ValidatingAdmissionPolicySpec": {"failurePolicy": "Fail"},
    "admissionregistration.v1.ValidatingWebhook": _WEBHOOK,
    "apps.v1.DaemonSetSpec": {"revisionHistoryLimit": 10},
    "apps.v1.DeploymentSpec": {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600},
    "apps.v1.ReplicaSetSpec": {"replicas": 1},
    "apps.v1.RollingUpdateStatefulSetStrategy": {"partition": 0},
    "apps.v1.StatefulSetSpec": {
        "podManagementPolicy": "OrderedReady",
        "replicas": 1,
        "revisionHistoryLimit": 10,
        "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
    },
    "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
    "authentication.v1.TokenRequestSpec": {"expirationSeconds": 3600},
    "autoscaling.v1.HorizontalPodAutoscalerSpec": {"minReplicas": 1},
    "autoscaling.v2.HorizontalPodAutoscalerSpec": {"minReplicas": 1},
    "batch.v1.CronJobSpec": {
        "concurrencyPolicy": "Allow",
        "suspend": False,
        "successfulJobsHistoryLimit": 3,
        "failedJobsHistoryLimit": 1,
    },
    "batch.v1.PodFailurePolicyOnPodConditionsPattern": {"status": "True"},
    "core.v1.AzureDiskVolumeSource": {
        "cachingMode": "ReadWrite",
        "kind": "Shared",
        "fsType": "ext4",
        "readOnly": False,
    },
    "core.v1.Container": {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"},
    "core.v1.ContainerPort": _TCP,
    "core.v1.ConfigMapVolumeSource": _MODE_0644,
    "core.v1.DownwardAPIVolumeSource": _MODE_0644,
    "core.v1.EndpointPort": _TCP,
    "core.v1.EphemeralContainer": {
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    },
    "core.v1.FileKeySelector": {"optional": False},
    "core.v1.GRPCAction": {"service": ""},
    "core.v1.HTTPGetAction": {"path": "/", "scheme": "HTTP"},
    "core.v1.HostPathVolumeSource": {"type": ""},
    "core.v1.ISCSIPersistentVolumeSource": {"iscsiInterface": "default"},
    "core.v1.ISCSIVolumeSource": {"iscsiInterface": "default"},
    "core.v1.NamespaceStatus": {"phase": "Active"},
    "core.v1.ObjectFieldSelector": {"apiVersion": "v1"},
    "core.v1.PersistentVolumeClaimSpec": {"volumeMode": "Filesystem"},
    "core.v1.PersistentVolumeSpec": {"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem"},
    "core.v1.PersistentVolumeStatus": {"phase": "Pending"},
    "core.v1.PodSpec": {
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
    },
    "core.v1.PodStatus": {"phase": "Pending"},
    "core.v1.Probe": {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3},
    "core.v1.ProjectedVolumeSource": _MODE_0644,
    "core.v1.RBDPersistentVolumeSource": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "core.v1.RBDVolumeSource": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "core.v1.ReplicationControllerSpec": {"replicas": 1},
    "core.v1.ScaleIOPersistentVolumeSource": {"storageMode": "ThinProvisioned", "fsType": "xfs"},
    "core.v1.ScaleIOVolumeSource": {"storageMode": "ThinProvisioned", "fsType": "xfs"},
    "core.v1.Secret": {"type": "Opaque"},
    "core.v1.SecretVolumeSource": _MODE_0644,
    "core.v1.ServiceAccountTokenProjection": {"expirationSeconds": 3600},
    "core.v1.ServicePort": _TCP,
    "core.v1.ServiceSpec": {"sessionAffinity": "None", "type": "ClusterIP"},
    "discovery.v1.EndpointPort": {"name": "", "protocol": "TCP"},
    "flowcontrol.v1.LimitedPriorityLevelConfiguration": {"nominalConcurrencyShares": 30, "lendablePercent": 0},
    "flowcontrol.v1.ExemptPriorityLevelConfiguration": {"nominalConcurrencyShares": 0, "lendablePercent": 0},
    "flowcontrol.v1.QueuingConfiguration": {"handSize": 8, "queues": 64, "queueLengthLimit": 50},
    "networking.v1.IngressClassParametersReference": {"scope": "Cluster"},
    "networking.v1.NetworkPolicyPort": _TCP,
    "resource.v1.DeviceToleration": {"operator": "Equal"},
    "scheduling.v1.PriorityClass": {"preemptionPolicy": "PreemptLowerPriority"},
    "storage.v1.CSIDriverSpec": {
        "attachRequired": True,
        "podInfoOnMount": False,
        "storageCapacity": False,
        "fsGroupPolicy": "ReadWriteOnceWithFSType",
        "volumeLifecycleModes": ["Persistent"],
        "requiresRepublish": False,
        "seLinuxMount": False,
    },
    "storage.v1.StorageClass": {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
    "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference": {"port": 443},
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference": {"port": 443},
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion": {"strategy": "None"},
}
