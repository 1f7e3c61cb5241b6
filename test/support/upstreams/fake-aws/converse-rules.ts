/** The refusals of Converse: those of the strict upstream, as AWS wraps them. */
import { refusalOf } from '../strict-upstream/strict-upstream.ts';
import { BEDROCK } from '../strict-upstream/vendors/bedrock.ts';
import type { AwsError } from './aws-error.ts';

type Body = Readonly<Record<string, unknown>>;

/** Models that are no Claude have no other interface on the runtime. */
export function isConverseModel(model: string): boolean {
  return model in BEDROCK.families;
}

/** Llama calls tools in whole replies alone: earendil-works/pi#3739. */
const STREAMS_NO_TOOLS = '.meta.llama';
const NO_STREAMED_TOOLS = "This model doesn't support tool use in streaming mode.";

export function refuseConverse(model: string, body: Body, operation: string): AwsError | undefined {
  if (
    operation === 'converse-stream' &&
    model.includes(STREAMS_NO_TOOLS) &&
    body['toolConfig'] !== undefined
  ) {
    return { status: 400, type: 'ValidationException', message: NO_STREAMED_TOOLS };
  }
  const refusal = refusalOf({ name: model, vendor: BEDROCK, model }, body);
  if (refusal === undefined) return undefined;
  const { message } = refusal.body as { readonly message: string };
  return { status: refusal.status, type: 'ValidationException', message };
}
