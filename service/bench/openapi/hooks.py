"""What no schema says of a request: which URLs lead nowhere, and which templates there are."""

import schemathesis
from hypothesis import strategies as st

# Those of this machine only, on a port where nobody answers.
schemathesis.openapi.format(
    "uri",
    st.builds(
        "{}://127.0.0.1:9/{}".format,
        st.sampled_from(["http", "https", "HTTP"]),
        st.text("abcz019-._~/?&=", max_size=30),
    ),
)


TEMPLATES = 3


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """Names a template that exists, where the body names any."""
    request = case.body.get("input") if isinstance(case.body, dict) else None
    template = request.get("template_id") if isinstance(request, dict) else None
    if isinstance(template, int) and not isinstance(template, bool):
        request["template_id"] = 1 + template % TEMPLATES
