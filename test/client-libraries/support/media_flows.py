"""Calls for rankings, images and sound, by the clients of several vendors. Prints what they read."""

import asyncio
import io
import json
import sys

import aiohttp
import cohere
import openai
import requests
import voyageai

url, settings = sys.argv[1], json.loads(sys.argv[2])
key, models, names = settings["key"], settings["models"], settings["names"]
wav = open(settings["wav"], "rb").read()
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


def client_of(its_key, retries=2):
    return openai.OpenAI(base_url=url + "/v1", api_key=its_key, max_retries=retries)


def images():
    client = client_of(key)
    asked = {"model": names["painter"], "prompt": "A cat"}
    made = client.images.generate(**asked, n=2, size="1024x1024", quality="low")
    png = ("a.png", b"png", "image/png")
    edited = client.images.edit(**asked, image=[png, png])
    stream = client.images.generate(**asked, stream=True, partial_images=1)
    return {
        "made": [one.b64_json for one in made.data],
        "edited": edited.usage.input_tokens_details.image_tokens,
        "streamed": [event.type for event in stream],
    }


def sound():
    client = client_of(key)
    file = ("speech.wav", wav, "audio/wav")
    asked = {"model": names["transcriber"], "file": file}
    stream = client.audio.transcriptions.create(**asked, stream=True)
    return {
        "json": client.audio.transcriptions.create(**asked).text,
        "text": client.audio.transcriptions.create(**asked, response_format="text"),
        "streamed": [event.type for event in stream][-1],
        "srt": client.audio.transcriptions.create(
            model=names["whisper"], file=file, response_format="srt"
        ).startswith("1\n00:00:00,000 --> "),
        "translated": client.audio.translations.create(model=names["whisper"], file=file).text,
        "flagged": client.moderations.create(model=names["moderator"], input="a")
        .results[0]
        .flagged,
    }


def openai_error(its_key, model, retries=2, prompt="A cat"):
    try:
        client_of(its_key, retries).images.generate(model=model, prompt=prompt)
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.body["code"]]
    return None


def errors():
    painter = names["painter"]
    return [
        openai_error("sk-wrong", painter),
        openai_error(settings["poorKey"], painter),
        openai_error(key, "no-such-model"),
        openai_error(settings["limitedKey"], painter, 0),
        openai_error(key, painter, prompt="A forbidden cat"),
    ]


def rank_errors(its_key):
    client = cohere.ClientV2(api_key=its_key, base_url=url)
    once = {"max_retries": 0}
    return [
        thrown(
            lambda: client.rerank(
                model=models[0], query=QUERY, documents=TEXTS, request_options=once
            )
        ),
        thrown(
            lambda: voyageai.Client(api_key=its_key, base_url=url + "/v1").rerank(
                QUERY, TEXTS, model=models[2]
            )
        ),
    ]


def voyage_reads_errors():
    try:
        of_voyage("no-such-model")
    except Exception as error:
        return "Invalid response object" not in str(error) and "no-such-model" in str(error)
    return None


async def web_ui():
    """The requests of Open WebUI, by the libraries that it uses (its routers of images and audio)."""
    bearer = {"Authorization": "Bearer " + key}
    base = url + "/v1"
    read = {}
    async with aiohttp.ClientSession() as session:
        made = {"model": names["painter"], "prompt": "A cat", "n": 1, "size": "1024x1024"}
        async with session.post(base + "/images/generations", json=made, headers=bearer) as reply:
            reply.raise_for_status()
            read["image"] = (await reply.json(content_type=None))["data"][0]["b64_json"]
        form = aiohttp.FormData()
        for name, value in {"model": names["painter"], "prompt": "A hat", "n": 1}.items():
            form.add_field(name, str(value))
        for name in ["image[]", "image[]"]:
            file = io.BytesIO(b"png")
            form.add_field(name, file, filename="a.png", content_type="image/png")
        async with session.post(base + "/images/edits", data=form, headers=bearer) as reply:
            reply.raise_for_status()
            read["edited"] = (await reply.json(content_type=None))["data"][0]["b64_json"]
        asked = {"contents": [{"parts": [{"text": "A cat"}]}]}
        google = {"Content-Type": "application/json", "x-goog-api-key": key}
        models_url = url + "/v1beta/models/" + names["geminiPainter"]
        async with session.post(
            models_url + ":generateContent", json=asked, headers=google
        ) as reply:
            reply.raise_for_status()
            [candidate] = (await reply.json(content_type=None))["candidates"]
            read["google"] = candidate["content"]["parts"][0]["inlineData"]["data"]
        predict = {"instances": {"prompt": "A cat"}, "parameters": {"sampleCount": 1}}
        async with session.post(models_url + ":predict", json=predict, headers=google) as reply:
            read["predict"] = [reply.status, "generateContent" in await reply.text()]
        spoken = {"input": "Good evening.", "voice": "alloy", "model": names["speaker"]}
        async with session.post(base + "/audio/speech", json=spoken, headers=bearer) as reply:
            reply.raise_for_status()
            read["speech"] = len(await reply.read())
    for language in ["en", None]:
        form = {"model": names["transcriber"], **({"language": language} if language else {})}
        heard = requests.post(
            base + "/audio/transcriptions",
            headers=bearer,
            files={"file": ("recording.wav", io.BytesIO(wav))},
            data=form,
        )
        if heard.status_code == 200:
            break
    heard.raise_for_status()
    read["heard"] = heard.json()["text"]
    read["lists"] = [
        requests.get(base + path, headers=bearer).status_code
        for path in ["/audio/models", "/audio/voices"]
    ]
    return read


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
            "speech": speech(names["speaker"]),
            "images": images(),
            "sound": sound(),
            "errors": errors(),
            "rankErrors": {
                "401": rank_errors("sk-wrong"),
                "402": rank_errors(settings["poorKey"]),
                "429": rank_errors(settings["limitedKey"]),
            },
            "voyageReads": voyage_reads_errors(),
            "webUi": asyncio.run(web_ui()),
        }
    )
)
