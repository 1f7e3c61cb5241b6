import type { StreamBytes } from './stream-bytes.ts';

const chunk = (finish: string, outputTokens: number): string =>
  `data: {"candidates":[{"content":{"parts":[{"text":" water"}],"role":"model"}${finish},` +
  `"index":0}],"usageMetadata":{"promptTokenCount":17,"candidatesTokenCount":${outputTokens},` +
  `"totalTokenCount":${17 + outputTokens},"promptTokensDetails":[{"modality":"TEXT",` +
  '"tokenCount":17}]},"modelVersion":"short","responseId":"2N-caOrIEoOimtkPpZ2qkAo"}\n\n';

const CONTENT = Buffer.from(chunk('', 50));

/** A stream of Gemini's `streamGenerateContent`: its last chunk has content too. */
export const GEMINI_STREAM: StreamBytes = {
  beginning: CONTENT,
  content: CONTENT,
  end: Buffer.from(chunk(',"finishReason":"STOP"', 50)),
};
