"""A session of OpenAI's own client. Arguments: the gateway's address, its key."""

import asyncio
import json
import sys

import openai

url, key = sys.argv[1:3]


async def refused(settings):
    client = openai.AsyncOpenAI(base_url=f"{url}/v1", **settings)
    try:
        async with client.realtime.connect(model="voice"):
            return None
    except Exception as error:  # noqa: BLE001: the class is what is looked at
        response = getattr(error, "response", None)
        return [type(error).__name__, getattr(response, "status_code", None)]


async def talk():
    client = openai.AsyncOpenAI(base_url=f"{url}/v1", api_key=key)
    types = []
    async with client.realtime.connect(model="voice") as connection:
        await connection.session.update(session={"type": "realtime", "instructions": "Be short."})
        await connection.response.create()
        async for event in connection:
            types.append(event.type)
            if event.type == "response.done":
                usage = event.response.usage
                return {"types": types, "input": usage.input_tokens, "output": usage.output_tokens}


async def main():
    result = await talk()
    result["refused"] = await refused({"api_key": "sk-wrong"})
    print(json.dumps(result))


asyncio.run(main())
