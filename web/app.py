"""The site put together."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from flask import Flask
from jinja2 import StrictUndefined

from engine.schema.rules.validate import SETTING
from web import errors, form_fields, languages, metrics, rendering, requests
from web.config import Config
from web.deadline import Deadline
from web.examples import load_examples
from web.line_markup import line_list
from web.routes import (
    api,
    cases,
    generate,
    health,
    intake,
    kubeapi,
    lessons,
    panes,
    playground,
    tools,
    workspaces,
)
from web.rules.processes import RuleProcesses
from web.serving.tls import authority
from web.storage.opening import open_stores
from web.storage.quota import Quota
from web.workspaces import Bounds, Workspaces

WORKSPACES = "patchyard-workspaces"
"""The extension of the site that is its workspaces: whoever ends the server closes them first."""
UNBOUNDED = ("health", "kubeapi", "static", "workspaces")
"""Blueprints that do more than compute, and see to their time themselves."""
HERE = Path(__file__).resolve().parent


def create_app(config: Config, clock: Callable[[], datetime]) -> Flask:
    """Return the site. It holds no state but `config`, `clock` and the examples, which are read here."""
    app = Flask("web", template_folder=str(_folder("templates")), static_folder=str(_folder("static")))
    app.config["MAX_CONTENT_LENGTH"] = config.max_request_bytes
    app.config["MAX_FORM_MEMORY_SIZE"] = config.max_request_bytes
    app.config["ASSET_VERSION"] = _fingerprint(_folder("static"))
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["line_list"] = line_list
    for part in (playground, lessons, intake):
        app.register_blueprint(part.create_blueprint(config, clock, load_examples()))
    app.register_blueprint(panes.create_blueprint(config, clock))
    app.register_blueprint(generate.create_blueprint(config))
    app.register_blueprint(cases.blueprint)
    app.register_blueprint(tools.create_blueprint(config, clock))
    SETTING.judge = RuleProcesses(config.rule_seconds, config.rule_mebibytes).judge
    opened, limits, deadline = _workspaces(config, clock), config.limits, Deadline(config.max_seconds)
    app.register_blueprint(api.create_blueprint(clock, limits))
    app.extensions[WORKSPACES] = opened
    requests.register(app, config)
    form_fields.register(app)
    app.register_blueprint(health.create_blueprint(opened, metrics.register(app, opened)))
    trusted = authority(config.tls_cert) if config.tls_cert else ""
    app.register_blueprint(workspaces.create_blueprint(opened, clock, limits, deadline, trusted))
    app.register_blueprint(kubeapi.create_blueprint(opened, clock, config, deadline, workspaces.show))
    _answer_in_time(app, deadline)
    languages.register(app)
    app.after_request(rendering.secure)
    errors.register(app)
    return app


def _answer_in_time(app: Flask, deadline: Deadline) -> None:
    """Bound how long each page is worked on. Workspaces see to that themselves: what they store is stored whole."""
    for endpoint, view in app.view_functions.items():
        if endpoint.partition(".")[0] not in UNBOUNDED:
            app.view_functions[endpoint] = errors.in_time(view, deadline)


def _workspaces(config: Config, clock: Callable[[], datetime]) -> Workspaces:
    """Return the workspaces of this site, in the store that is set."""
    quota = Quota(config.workspace_objects, config.workspace_bytes, config.object_bytes)
    stores = open_stores(config.store, quota, config.store_sync)
    bounds = Bounds(
        config.opens, config.workspaces, config.workspace_watches, config.workspace_rate, config.workspace_days
    )
    return Workspaces(stores, clock, bounds)


def _folder(name: str) -> Path:
    """Return where templates or static files are: beside this module once installed, one up in a checkout."""
    installed = HERE / name
    return installed if installed.is_dir() else HERE.parent / name


def _fingerprint(folder: Path) -> str:
    """Return a short text that changes with the files of `folder`, for addresses that browsers may keep."""
    digest = sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            status = file.stat()
            digest.update(f"{file.relative_to(folder).as_posix()} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:12]
