"""Flows of Python SDKs that are set to a cloud, against Weir; prints what came as JSON.

Arguments: Weir's origin, and a flow, a key and a model. The model calls a tool twice at once and
reports when it has both outputs.
"""

import json
import sys

import anthropic
import boto3
import botocore.config
import botocore.exceptions
from google import genai
from google.genai import types

url, settings = sys.argv[1], json.loads(sys.argv[2])
QUESTION = "Where is it?"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"name": "look_up", "description": "Looks a city up", "input_schema": SCHEMA}]
MESSAGES = [{"role": "user", "content": QUESTION}]
MAX_TOKENS = 1000


def outcome(flow, error_type, status):
    """What a call that must fail throws: its status and the exception's name."""
    try:
        flow()
    except error_type as error:
        return [status(error), type(error).__name__]
    return None


def outputs_of(content):
    return [
        {"type": "tool_result", "tool_use_id": block["id"], "content": f"of {block['input']['city']}"}
        for block in content
        if block["type"] == "tool_use"
    ]


def conversation(content, outputs):
    return [
        *MESSAGES,
        {"role": "assistant", "content": content},
        {"role": "user", "content": outputs},
    ]


def anthropic_flows(client, model):
    asked = {"model": model, "max_tokens": MAX_TOKENS, "tools": TOOLS}
    with client.messages.stream(**asked, messages=MESSAGES) as stream:
        called = stream.get_final_message()
    content = [block.model_dump(exclude_none=True) for block in called.content]
    outputs = outputs_of(content)
    messages = conversation(called.content, outputs)
    reported = client.messages.create(**asked, messages=messages).content[0].text
    return {
        "outputs": [output["content"] for output in outputs],
        "reported": reported,
        "thrown": outcome(
            lambda: client.messages.create(**{**asked, "model": "no-such-model"}, messages=MESSAGES),
            anthropic.APIStatusError,
            lambda error: error.status_code,
        ),
    }


def bedrock_flows(key, model):
    client = anthropic.AnthropicBedrock(api_key=key, base_url=url, aws_region="us-east-1")
    return anthropic_flows(client, f"us.anthropic.{model}-v1:0")


def vertex_flows(key, model):
    client = anthropic.AnthropicVertex(
        access_token=key, base_url=url + "/v1", project_id="a-project", region="us-east5"
    )
    flows = anthropic_flows(client, f"{model}@20270101")
    counted = client.messages.count_tokens(model=model, messages=MESSAGES).input_tokens
    return {**flows, "counted": counted > 0}


def boto3_flows(key, model):
    # It reads AWS_BEARER_TOKEN_BEDROCK, but sends it to https addresses alone.
    unsigned = botocore.config.Config(signature_version=botocore.UNSIGNED)
    client = boto3.client(
        "bedrock-runtime", endpoint_url=url, region_name="us-east-1", config=unsigned
    )
    client.meta.events.register(
        "before-send.bedrock-runtime.*",
        lambda request, **_: request.headers.update(Authorization=f"Bearer {key}"),
    )
    asked = {"anthropic_version": "bedrock-2023-05-31", "max_tokens": MAX_TOKENS, "tools": TOOLS}
    model_id = f"us.anthropic.{model}-v1:0"

    def body(messages):
        return json.dumps({**asked, "messages": messages})

    stream = client.invoke_model_with_response_stream(modelId=model_id, body=body(MESSAGES))
    content = []
    for message in stream["body"]:
        event = json.loads(message["chunk"]["bytes"])
        if event["type"] == "content_block_start":
            content.append({**event["content_block"], "json": ""})
        elif event["type"] == "content_block_delta":
            for name, piece in event["delta"].items():
                if name == "partial_json":
                    content[-1]["json"] += piece
                elif name != "type":
                    content[-1][name] = content[-1].get(name, "") + piece
    for block in content:
        text = block.pop("json")
        if block["type"] == "tool_use":
            block["input"] = json.loads(text)
    outputs = outputs_of(content)
    reply = client.invoke_model(modelId=model_id, body=body(conversation(content, outputs)))
    return {
        "outputs": [output["content"] for output in outputs],
        "reported": json.loads(reply["body"].read())["content"][0]["text"],
        "thrown": outcome(
            lambda: client.invoke_model(modelId="no-such-model", body=body(MESSAGES)),
            botocore.exceptions.ClientError,
            lambda error: error.response["ResponseMetadata"]["HTTPStatusCode"],
        ),
    }


def gemini_flows(key, model):
    options = types.HttpOptions(base_url=url)
    client = genai.Client(vertexai=True, api_key=key, http_options=options)
    outputs = []

    def look_up(city: str) -> str:
        """Looks a city up"""
        outputs.append(f"of {city}")
        return outputs[-1]

    config = types.GenerateContentConfig(tools=[look_up])
    pieces = client.models.generate_content_stream(model=model, contents=QUESTION, config=config)
    reported = "".join(piece.text or "" for piece in pieces)
    counted = client.models.count_tokens(model=model, contents=QUESTION).total_tokens
    return {
        "outputs": outputs,
        "reported": reported.removeprefix("I look."),
        "counted": counted > 0,
        "thrown": outcome(
            lambda: client.models.generate_content(model="no-such-model", contents=QUESTION),
            genai.errors.APIError,
            lambda error: error.code,
        ),
    }


FLOWS = {
    "anthropic bedrock": bedrock_flows,
    "anthropic vertex": vertex_flows,
    "boto3": boto3_flows,
    "google-genai": gemini_flows,
}

print(json.dumps(FLOWS[settings["flow"]](settings["key"], settings["model"])))
