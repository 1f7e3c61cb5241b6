"""Calls for rankings and speech, by the clients of several vendors. Prints what they read."""

import json
import sys

import cohere
import openai
import voyageai

url, settings = sys.argv[1], json.loads(sys.argv[2])
key, models = settings["key"], settings["models"]
QUERY = "Who wrote it?"
TEXTS = ["Homer", "Sappho", "Pindar"]


def of_cohere(model, client):
    made = client.rerank(model=model, query=QUERY, documents=TEXTS, top_n=2)
    units = made.meta.billed_units if made.meta else None
    return {
        "indexes": [one.index for one in made.results],
        "units": units.search_units if units else None,
    }


def of_voyage(model):
    client = voyageai.Client(api_key=key, base_url=url + "/v1")
    made = client.rerank(QUERY, TEXTS, model=model, top_k=2)
    return {
        "indexes": [one.index for one in made.results],
        "documents": [one.document for one in made.results],
        "tokens": made.total_tokens,
    }


def thrown(call):
    try:
        call()
    except Exception as error:  # The class is what is compared.
        return type(error).__name__
    return None


def speech(model):
    client = openai.OpenAI(base_url=url + "/v1", api_key=key, max_retries=0)
    asked = {"model": model, "voice": "alloy", "input": "Good evening."}
    with client.audio.speech.with_streaming_response.create(**asked) as reply:
        return {
            "bytes": sum(len(chunk) for chunk in reply.iter_bytes()),
            "type": reply.headers["content-type"],
        }


v1 = cohere.Client(api_key=key, base_url=url)
v2 = cohere.ClientV2(api_key=key, base_url=url)
print(
    json.dumps(
        {
            "v1": [of_cohere(model, v1) for model in models],
            "v2": [of_cohere(model, v2) for model in models],
            "voyage": [of_voyage(model) for model in models],
            "thrown": [
                thrown(lambda: of_cohere("no-such-model", v2)),
                thrown(lambda: of_voyage("no-such-model")),
                thrown(lambda: speech("no-such-model")),
            ],
            "speech": speech(settings["speaker"]),
        }
    )
)
