import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject } from '../../../platform/json/json-value.ts';
import { readObject } from '../../../platform/json/read-object.ts';
import { invalidValue } from '../../fields/field-faults.ts';

/** Returns the body of Messages that a client of Amazon Bedrock wants to have counted. */
export function countedBody(body: Buffer, jsonDepthMax: number): Buffer | Refusal {
  const read = readObject(body, jsonDepthMax);
  if (isRefusal(read)) return read;
  const { input } = read.value;
  const invoked = isJsonObject(input) ? input['invokeModel'] : undefined;
  const base64 = isJsonObject(invoked) ? invoked['body'] : undefined;
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64');
  return invalidValue(
    'input',
    '"input" must have "invokeModel" with a "body" of Messages in base64. Other inputs are not counted here.',
  );
}
