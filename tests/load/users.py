"""Users: each evaluates a manifest of 60 lines every few seconds; in all, kubectl applies one every second."""

from __future__ import annotations

import http.client
import subprocess
import threading
import time
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlencode, urlsplit

MANIFEST = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
    app.kubernetes.io/part-of: shop
spec:
  replicas: {replicas}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: web
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web
    spec:
      serviceAccountName: web
      terminationGracePeriodSeconds: 30
      containers:
        - name: web
          image: registry.example/web:1.{replicas}
          imagePullPolicy: IfNotPresent
          ports:
            - name: http
              containerPort: 8080
            - name: metrics
              containerPort: 9090
          env:
            - name: MODE
              value: production
            - name: LEVEL
              value: "{replicas}"
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 5
          volumeMounts:
            - name: settings
              mountPath: /etc/web
        - name: sidecar
          image: registry.example/sidecar:2
          resources:
            limits:
              memory: 64Mi
      volumes:
        - name: settings
          configMap:
            name: web
"""


@dataclass(slots=True)
class Tally:
    """What was measured. Seconds of each answer, by what was asked; what went wrong, in words."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"evaluate": [], "kubectl apply": []})
    errors: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str, seconds: float, error: str = "") -> None:
        """Note an answer, and what was wrong with it."""
        with self._lock:
            self.seconds[what].append(seconds)
            if error:
                self.errors.append(f"{what}: {error}")


def evaluates(address: str, number: int, pause: float, ended: threading.Event, tally: Tally) -> None:
    """Be one user until it is ended: type, have it evaluated, look at it."""
    random, place = Random(number), urlsplit(address)
    live = MANIFEST.format(replicas=2)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=30)
    ended.wait(random.random() * pause)
    due = time.monotonic()
    while not ended.is_set():
        form = {"kind": "apply", "live": live, "manager": f"user-{number}", "view": "result"}
        form["body"] = MANIFEST.format(replicas=random.randrange(1, 50))
        began, error = time.monotonic(), ""
        try:
            connection.request("POST", "/evaluate", urlencode(form), {**_FORM, "HX-Request": "true"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200 or b"outcome" not in text:
                error = f"{answer.status} {text[:100]!r}"
        except (OSError, http.client.HTTPException) as failure:
            error = repr(failure)
            connection.close()
        tally.note("evaluate", time.monotonic() - began, error)
        due += pause
        ended.wait(max(0.0, due - time.monotonic()))
    connection.close()


_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def applies(kubectl: str, address: str, ended: threading.Event, tally: Tally) -> None:
    """Apply the manifest once a second, to ten workspaces in turn, until it is ended."""
    count = 0
    while not ended.is_set():
        began = time.monotonic()
        server = f"{address}/w/load-{count % 10}"
        command = [
            kubectl,
            "--server",
            server,
            "apply",
            "--server-side",
            "--field-manager",
            f"m{count % 3}",
            "--force-conflicts",
            "-f",
            "-",
        ]
        text = MANIFEST.format(replicas=count % 50)
        try:
            done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
            error = done.stderr.strip() if done.returncode else ""
        except subprocess.TimeoutExpired:
            error = "kubectl did not end within 60 seconds"
        tally.note("kubectl apply", time.monotonic() - began, error)
        count += 1
        ended.wait(max(0.0, 1 - (time.monotonic() - began)))
