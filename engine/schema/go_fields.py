"""Which fields the built-in Go types hold by pointer, and which they write even when empty.

OpenAPI does not tell either, and both show: `replicas: 0` stays because `replicas` is a pointer, `hostNetwork: false`
vanishes because that is none, and a condition without a time shows `lastTransitionTime: null`. The rules here are the
habits of the API's authors, the tables are the exceptions. Definitions are named as in the catalog, without
`io.k8s.api.` and `io.k8s.apimachinery.pkg.apis.`.

Source: the Go types of k8s.io/api, Kubernetes 1.36.
"""

from __future__ import annotations

from functools import cache

_PLAIN_NUMBERS = """
admissionregistration.v1.ValidatingAdmissionPolicyStatus observedGeneration
apps.v1.DaemonSetSpec minReadySeconds
apps.v1.DaemonSetStatus numberAvailable numberUnavailable observedGeneration updatedNumberScheduled
apps.v1.DeploymentSpec minReadySeconds
apps.v1.DeploymentStatus availableReplicas observedGeneration readyReplicas replicas unavailableReplicas updatedReplicas
apps.v1.ReplicaSetSpec minReadySeconds
apps.v1.ReplicaSetStatus availableReplicas fullyLabeledReplicas observedGeneration readyReplicas
apps.v1.StatefulSetOrdinals start
apps.v1.StatefulSetSpec minReadySeconds
apps.v1.StatefulSetStatus currentReplicas observedGeneration readyReplicas updatedReplicas
autoscaling.v1.ScaleSpec replicas
autoscaling.v2.HorizontalPodAutoscalerStatus currentReplicas
batch.v1.JobStatus active failed succeeded
core.v1.AWSElasticBlockStoreVolumeSource partition
core.v1.ContainerImage sizeBytes
core.v1.ContainerPort hostPort
core.v1.ContainerStateTerminated signal
core.v1.Event count
core.v1.EventSeries count
core.v1.GCEPersistentDiskVolumeSource partition
core.v1.PodCondition observedGeneration
core.v1.PodStatus observedGeneration
core.v1.Probe failureThreshold initialDelaySeconds periodSeconds successThreshold timeoutSeconds
core.v1.ReplicationControllerSpec minReadySeconds
core.v1.ReplicationControllerStatus availableReplicas fullyLabeledReplicas observedGeneration readyReplicas
core.v1.ServicePort nodePort
core.v1.ServiceSpec healthCheckNodePort
events.v1.Event deprecatedCount
flowcontrol.v1.QueuingConfiguration handSize queueLengthLimit queues
networking.v1.ServiceBackendPort number
policy.v1.PodDisruptionBudgetStatus observedGeneration
resource.v1.DeviceSubRequest count
resource.v1.ExactDeviceRequest count
meta.v1.Condition observedGeneration
meta.v1.ObjectMeta generation
meta.v1.Status code
meta.v1.StatusDetails retryAfterSeconds
"""

_PLAIN_BOOLEANS = """
apps.v1.DeploymentSpec paused
authentication.v1.TokenReviewStatus authenticated
authorization.v1.SubjectAccessReviewStatus denied
core.v1.AWSElasticBlockStoreVolumeSource readOnly
core.v1.AzureFilePersistentVolumeSource readOnly
core.v1.AzureFileVolumeSource readOnly
core.v1.CSIPersistentVolumeSource readOnly
core.v1.CephFSPersistentVolumeSource readOnly
core.v1.CephFSVolumeSource readOnly
core.v1.CinderPersistentVolumeSource readOnly
core.v1.CinderVolumeSource readOnly
core.v1.Container stdin stdinOnce tty
core.v1.EphemeralContainer stdin stdinOnce tty
core.v1.FCVolumeSource readOnly
core.v1.FlexPersistentVolumeSource readOnly
core.v1.FlexVolumeSource readOnly
core.v1.GCEPersistentDiskVolumeSource readOnly
core.v1.GlusterfsVolumeSource readOnly
core.v1.GlusterfsPersistentVolumeSource readOnly
core.v1.ISCSIPersistentVolumeSource chapAuthDiscovery chapAuthSession readOnly
core.v1.ISCSIVolumeSource chapAuthDiscovery chapAuthSession readOnly
core.v1.NFSVolumeSource readOnly
core.v1.NodeSpec unschedulable
core.v1.PersistentVolumeClaimVolumeSource readOnly
core.v1.PodSpec hostIPC hostNetwork hostPID
core.v1.PortworxVolumeSource readOnly
core.v1.QuobyteVolumeSource readOnly
core.v1.RBDPersistentVolumeSource readOnly
core.v1.RBDVolumeSource readOnly
core.v1.ScaleIOPersistentVolumeSource readOnly sslEnabled
core.v1.ScaleIOVolumeSource readOnly sslEnabled
core.v1.ServiceSpec publishNotReadyAddresses
core.v1.StorageOSPersistentVolumeSource readOnly
core.v1.StorageOSVolumeSource readOnly
core.v1.VolumeMount readOnly
core.v1.VolumeMountStatus readOnly
flowcontrol.v1.ResourcePolicyRule clusterScope
scheduling.v1.PriorityClass globalDefault
io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec insecureSkipTLSVerify
"""

_POINTER_STRINGS = """
admissionregistration.v1.MutatingAdmissionPolicySpec failurePolicy
admissionregistration.v1.MutatingWebhook failurePolicy matchPolicy reinvocationPolicy sideEffects
admissionregistration.v1.MatchResources matchPolicy
admissionregistration.v1.NamedRuleWithOperations scope
admissionregistration.v1.ParamRef parameterNotFoundAction
admissionregistration.v1.RuleWithOperations scope
admissionregistration.v1.ServiceReference path
admissionregistration.v1.ValidatingAdmissionPolicySpec failurePolicy
admissionregistration.v1.ValidatingWebhook failurePolicy matchPolicy sideEffects
admissionregistration.v1.Validation reason
admissionregistration.v1.WebhookClientConfig url
batch.v1.CronJobSpec timeZone
batch.v1.JobSpec completionMode managedBy podReplacementPolicy
batch.v1.PodFailurePolicyOnExitCodesRequirement containerName
batch.v1.SuccessPolicyRule succeededIndexes
batch.v1.JobStatus failedIndexes
autoscaling.v2.HPAScalingRules selectPolicy
coordination.v1.LeaseSpec holderIdentity preferredHolder strategy
core.v1.AzureDiskVolumeSource cachingMode fsType kind
core.v1.AzureFilePersistentVolumeSource secretNamespace
core.v1.CSIVolumeSource fsType
core.v1.ClusterTrustBundleProjection name signerName
core.v1.Container restartPolicy
core.v1.ContainerStatus stopSignal
core.v1.EndpointAddress nodeName
core.v1.EndpointPort appProtocol
core.v1.EphemeralContainer restartPolicy
core.v1.GRPCAction service
core.v1.GlusterfsPersistentVolumeSource endpointsNamespace
core.v1.HostPathVolumeSource type
core.v1.ISCSIPersistentVolumeSource initiatorName
core.v1.ISCSIVolumeSource initiatorName
core.v1.Lifecycle stopSignal
core.v1.LocalVolumeSource fsType
core.v1.PersistentVolumeClaimSpec storageClassName volumeAttributesClassName volumeMode
core.v1.PersistentVolumeClaimStatus currentVolumeAttributesClassName
core.v1.PersistentVolumeSpec volumeAttributesClassName volumeMode
core.v1.PodDNSConfigOption value
core.v1.PodResourceClaim resourceClaimName resourceClaimTemplateName
core.v1.PodResourceClaimStatus resourceClaimName
core.v1.PodSecurityContext fsGroupChangePolicy seLinuxChangePolicy supplementalGroupsPolicy
core.v1.PodSpec hostnameOverride preemptionPolicy runtimeClassName
core.v1.PortStatus error
core.v1.SeccompProfile localhostProfile
core.v1.AppArmorProfile localhostProfile
core.v1.SecurityContext procMount
core.v1.ServicePort appProtocol
core.v1.ServiceSpec internalTrafficPolicy ipFamilyPolicy loadBalancerClass trafficDistribution
core.v1.LoadBalancerIngress ipMode
core.v1.TopologySpreadConstraint nodeAffinityPolicy nodeTaintsPolicy
core.v1.TypedLocalObjectReference apiGroup
core.v1.TypedObjectReference apiGroup namespace
core.v1.VolumeMount mountPropagation recursiveReadOnly
core.v1.VolumeMountStatus recursiveReadOnly
core.v1.WindowsSecurityContextOptions gmsaCredentialSpec gmsaCredentialSpecName runAsUserName
discovery.v1.Endpoint hostname nodeName zone
discovery.v1.EndpointPort appProtocol name protocol
networking.v1.HTTPIngressPath pathType
networking.v1.IngressClassParametersReference apiGroup namespace scope
networking.v1.IngressSpec ingressClassName
networking.v1.IngressPortStatus error
networking.v1.NetworkPolicyPort protocol
policy.v1.PodDisruptionBudgetSpec unhealthyPodEvictionPolicy
resource.v1.DeviceAttribute string version
resource.v1.DeviceRequestAllocationResult shareID
resource.v1.ResourceSliceSpec nodeName
scheduling.v1.PriorityClass preemptionPolicy
storage.v1.CSIDriverSpec fsGroupPolicy
storage.v1.CSIStorageCapacity maximumVolumeSize
storage.v1.StorageClass reclaimPolicy volumeBindingMode
storage.v1.VolumeAttachmentSource persistentVolumeName
io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference path
io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule optionalOldSelf reason
io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookClientConfig url
"""

_WRITTEN_EMPTY = """
apps.v1.StatefulSetStatus availableReplicas
batch.v1.PodFailurePolicyOnPodConditionsPattern status
core.v1.Event reportingComponent reportingInstance
flowcontrol.v1.FlowSchemaSpec matchingPrecedence
policy.v1.PodDisruptionBudgetStatus currentHealthy desiredHealthy disruptionsAllowed expectedPods
rbac.v1.RoleRef apiGroup
scheduling.v1.PriorityClass value
autoscaling.v2.HorizontalPodAutoscalerStatus currentMetrics
discovery.v1.EndpointSlice endpoints ports
rbac.v1.ClusterRole rules
rbac.v1.Role rules
"""

_POINTER_TIMES = frozenset(
    (
        "acquireTime",
        "allocationTimestamp",
        "completionTime",
        "creationTimestamp",
        "deletionTimestamp",
        "lastPhaseTransitionTime",
        "lastScaleTime",
        "lastScheduleTime",
        "lastSuccessfulTime",
        "renewTime",
        "startTime",
        "time",
        "timeAdded",
    )
)
"""Times that vanish when they are not set; all others are written as null. VolumeError.time is an exception."""

_PREFIXES = ("io.k8s.api.", "io.k8s.apimachinery.pkg.apis.")


def short_name(definition: str) -> str:
    """Return a definition's name as the tables have it."""
    for prefix in _PREFIXES:
        definition = definition.removeprefix(prefix)
    return definition


def keeps_zero(definition: str, field: str, kind: str) -> bool:
    """Return True if an optional scalar that was written as zero or empty is kept: the Go field is a pointer.

    kind is the OpenAPI type: integer, number, boolean or string.
    """
    row = (short_name(definition), field)
    if kind == "string":
        return row in _table(_POINTER_STRINGS)
    return row not in _table(_PLAIN_BOOLEANS if kind == "boolean" else _PLAIN_NUMBERS)


def written_empty(definition: str, field: str) -> bool:
    """Return True if an optional field is written even though it is not set."""
    return (short_name(definition), field) in _table(_WRITTEN_EMPTY)


def time_written_null(definition: str, field: str) -> bool:
    """Return True if a time that is not set is written as null."""
    return field not in _POINTER_TIMES or short_name(definition) == "storage.v1.VolumeError"


@cache
def _table(text: str) -> frozenset[tuple[str, str]]:
    rows = (line.split() for line in text.strip().splitlines())
    return frozenset((definition, field) for definition, *fields in rows for field in fields)
