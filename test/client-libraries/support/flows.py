"""Flows of vendors' Python SDKs and of LangChain against Weir; prints what came as JSON.

Arguments: Weir's origin, and a key and a model for each flow. The model calls a tool twice at once
and reports when it has both outputs.
"""

import json
import sys

import anthropic
import openai
from google import genai
from google.genai import types
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

url, settings = sys.argv[1], json.loads(sys.argv[2])
QUESTION = "Where is it?"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
NAME, DESCRIPTION = "look_up", "Looks a city up"


def outcome(flow, error_type, status):
    """What a call that must fail throws: its status and the exception's name."""
    try:
        flow()
    except error_type as error:
        return [status(error), type(error).__name__]
    return None


def anthropic_flows(key, model):
    client = anthropic.Anthropic(base_url=url, api_key=key)
    tools = [{"name": NAME, "description": DESCRIPTION, "input_schema": SCHEMA}]
    asked = {"model": model, "max_tokens": 1000, "tools": tools}
    messages = [{"role": "user", "content": QUESTION}]
    with client.messages.stream(**asked, messages=messages) as stream:
        called = stream.get_final_message()
    outputs = [
        {"type": "tool_result", "tool_use_id": block.id, "content": f"of {block.input['city']}"}
        for block in called.content
        if block.type == "tool_use"
    ]
    messages += [
        {"role": "assistant", "content": called.content},
        {"role": "user", "content": outputs},
    ]
    reported = client.messages.create(**asked, messages=messages).content[0].text
    counted = client.messages.count_tokens(model=model, messages=messages[:1]).input_tokens
    return {
        "outputs": [output["content"] for output in outputs],
        "reported": reported,
        "counted": counted > 0,
        "listed": [found.id for found in client.models.list()],
        "thrown": outcome(
            lambda: client.messages.create(**{**asked, "model": "no-such-model"}, messages=messages[:1]),
            anthropic.APIStatusError,
            lambda error: error.status_code,
        ),
    }


def chat_flows(key, model):
    client = openai.OpenAI(base_url=url + "/v1", api_key=key)
    function = {"name": NAME, "description": DESCRIPTION, "parameters": SCHEMA}
    asked = {"model": model, "tools": [{"type": "function", "function": function}]}
    messages = [{"role": "user", "content": QUESTION}]
    with client.chat.completions.stream(**asked, messages=messages) as stream:
        called = stream.get_final_completion().choices[0].message
    outputs = [
        {
            "role": "tool",
            "tool_call_id": call.id,
            "content": f"of {json.loads(call.function.arguments)['city']}",
        }
        for call in called.tool_calls
    ]
    messages += [called, *outputs]
    reported = client.chat.completions.create(**asked, messages=messages)
    return {
        "outputs": [output["content"] for output in outputs],
        "reported": reported.choices[0].message.content,
        "counted": reported.usage.total_tokens > 0,
        "listed": [found.id for found in client.models.list()],
        "thrown": outcome(
            lambda: client.chat.completions.create(model="no-such-model", messages=messages[:1]),
            openai.APIStatusError,
            lambda error: error.status_code,
        ),
    }


def responses_flows(key, model):
    client = openai.OpenAI(base_url=url + "/v1", api_key=key)
    tools = [{"type": "function", "name": NAME, "description": DESCRIPTION, "parameters": SCHEMA}]
    asked = {"model": model, "tools": tools, "store": False}
    asked["include"] = ["reasoning.encrypted_content"]
    items = [{"role": "user", "content": QUESTION}]
    with client.responses.stream(**asked, input=items) as stream:
        for _event in stream:
            pass
        called = stream.get_final_response()
    outputs = [
        {
            "type": "function_call_output",
            "call_id": item.call_id,
            "output": f"of {json.loads(item.arguments)['city']}",
        }
        for item in called.output
        if item.type == "function_call"
    ]
    items += [item.model_dump(exclude={"parsed_arguments"}) for item in called.output]
    items += outputs
    counted = client.responses.input_tokens.count(model=model, input=QUESTION).input_tokens
    return {
        "outputs": [output["output"] for output in outputs],
        "reported": client.responses.create(**asked, input=items).output_text,
        "counted": counted > 0,
        "listed": [found.id for found in client.models.list()],
        "thrown": outcome(
            lambda: client.responses.create(model="no-such-model", input=QUESTION),
            openai.APIStatusError,
            lambda error: error.status_code,
        ),
    }


def gemini_flows(key, model):
    client = genai.Client(api_key=key, http_options=types.HttpOptions(base_url=url))
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
        "listed": [found.name.removeprefix("models/") for found in client.models.list()],
        "thrown": outcome(
            lambda: client.models.generate_content(model="no-such-model", contents=QUESTION),
            genai.errors.APIError,
            lambda error: error.code,
        ),
    }


@tool
def look_up(city: str) -> str:
    """Looks a city up"""
    return f"of {city}"


def langchain_flow(chat):
    bound = chat.bind_tools([look_up])
    messages = [HumanMessage(QUESTION)]
    called = bound.invoke(messages)
    outputs = [
        ToolMessage(look_up.invoke(call["args"]), tool_call_id=call["id"], name=call["name"])
        for call in called.tool_calls
    ]
    reported = bound.invoke([*messages, called, *outputs]).text
    return {
        "outputs": [output.content for output in outputs],
        "reported": reported if isinstance(reported, str) else reported(),
    }


def langchain_chat(key, model):
    return langchain_flow(ChatOpenAI(base_url=url + "/v1", api_key=key, model=model))


def langchain_messages(key, model):
    return langchain_flow(ChatAnthropic(base_url=url, api_key=key, model=model))


def langchain_gemini(key, model):
    return langchain_flow(ChatGoogleGenerativeAI(base_url=url, google_api_key=key, model=model))


FLOWS = {
    "anthropic": anthropic_flows,
    "openai chat": chat_flows,
    "openai responses": responses_flows,
    "google-genai": gemini_flows,
    "langchain-openai": langchain_chat,
    "langchain-anthropic": langchain_messages,
    "langchain-google-genai": langchain_gemini,
}

print(json.dumps(FLOWS[settings["flow"]](settings["key"], settings["model"])))
