"""OpenTelemetry traces: one span per request, named after its route.

Needs the extra ``otel``. OpenTelemetry's own variables (``OTEL_EXPORTER_OTLP_ENDPOINT``, ``OTEL_SERVICE_NAME``, ...)
configure the export. A trace that the client started is continued. OpenTelemetry is not loaded unless tracing is
enabled. ::

    spans = start_spans()                     # raises MissingExtra without the extra
    span = spans.begin(headers)
    spans.end(span, "POST", "/v1/verify", 200, info)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from envhub.core.errors import MissingExtra

if TYPE_CHECKING:
    from envhub.server.telemetry.request_log import RequestInfo


def start_spans() -> Spans:
    """Create spans for this process's provider.

    The one already set, or one configured by OpenTelemetry's variables.

    Raises:
        MissingExtra: The extra is not installed.
    """
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise MissingExtra(f"Traces need the extra otel: pip install 'envhub[otel]' ({error}).") from error
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider):  # no provider is set
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        except ImportError as error:
            raise MissingExtra(f"Traces need the extra otel: pip install 'envhub[otel]' ({error}).") from error
        resource = Resource({SERVICE_NAME: "envhub"}).merge(OTELResourceDetector().detect())
        provider = TracerProvider(resource=resource)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        trace.set_tracer_provider(provider)
    return Spans(provider)


class Spans:
    """Creates spans of requests.

    Args:
        provider: An OpenTelemetry tracer provider.
    """

    def __init__(self, provider: Any) -> None:
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind, StatusCode

        self._tracer = provider.get_tracer("envhub.server")
        self._extract, self._kind, self._failed = extract, SpanKind.SERVER, StatusCode.ERROR

    def begin(self, headers: Iterable[tuple[bytes, bytes]]) -> Any:
        """Start the span of a request.

        It is part of the client's trace if the client names one.
        """
        carried = {
            str(name, "ascii"): str(value, "latin-1")
            for name, value in headers
            if name in (b"traceparent", b"tracestate")
        }
        parent = self._extract(carried) if carried else None
        return self._tracer.start_span("request", context=parent, kind=self._kind)

    def end(self, span: Any, method: str, route: str, status: int, info: RequestInfo) -> None:
        """End the span with the facts noted about the request."""
        span.update_name(f"{method} {route}")
        attributes = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "envhub.request_id": info.request_id,
            "envhub.env": info.env_id,
            "envhub.key": info.key_id,
            "error.type": info.code,
        }
        span.set_attributes({name: value for name, value in attributes.items() if value != ""})
        if status >= 500:
            span.set_status(self._failed)
        span.end()
