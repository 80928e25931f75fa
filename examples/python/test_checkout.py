"""Run with: otlptest run -- pytest

otlptest run sets OTEL_EXPORTER_OTLP_ENDPOINT, where the exporter finds the
backend, and OTLPTEST_API_URL, where the tests ask it.
"""

import json
import os
import urllib.parse
import urllib.request

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor


def ask(path, body=None, **query):
    """Asks the backend; with a body it is a POST."""
    url = f"{os.environ['OTLPTEST_API_URL']}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(urllib.request.Request(url, data=body)) as answer:
        text = answer.read()
    return json.loads(text) if text else None


@pytest.fixture
def provider():
    provider = TracerProvider(resource=Resource.create({"service.name": "shop"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    yield provider
    provider.shutdown()
    ask("reset", body=b"")


def checkout(provider, cents):
    """The code under test."""
    with provider.get_tracer("shop").start_as_current_span("charge") as span:
        span.set_attribute("payment.cents", cents)


def test_charge_is_traced(provider):
    checkout(provider, 1200)
    provider.force_flush()

    spans = ask("spans", q='service="shop" name="charge"', wait=1)
    assert spans["items"][0]["attributes"]["payment.cents"] == 1200


def test_unavailable_export_is_sent_again(provider):
    ask("faults", body=b"traces: unavailable")
    checkout(provider, 1200)
    provider.force_flush()

    ask("spans", q='name="charge"', wait=1)
    report = ask("report", format="json")
    codes = [attempt["status"]["code"] for attempt in report["batches"][0]["attempts"]]
    assert codes == ["UNAVAILABLE", "OK"]
    assert report["items"]["delivered"] == 1
