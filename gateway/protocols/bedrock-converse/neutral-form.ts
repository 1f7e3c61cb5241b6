import type { UpstreamForm } from '../neutral-form/neutral-form.ts';
import { readReply } from './from-upstream/read-reply.ts';
import { readStream } from './from-upstream/read-stream.ts';
import { writeRequest } from './to-upstream/write-request.ts';

/** Converse to and from the neutral form. */
export const neutralForm: UpstreamForm = { writeRequest, readReply, readStream };
