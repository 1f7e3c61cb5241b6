import type { ExchangeForm } from '../exchange-form/exchange-form.ts';
import type { ResponsesRequest } from './parse-request.ts';
import { readReply } from './read-reply.ts';
import { readRequest } from './read-request.ts';
import { readStream } from './read-stream.ts';
import { writeReply } from './write-reply.ts';
import { writeRequest } from './write-request.ts';
import { writeStream } from './write-stream.ts';

/** Responses to and from the neutral form. */
export const exchange: ExchangeForm<ResponsesRequest> = {
  lacksStop: true,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  readStream,
  writeStream,
};
