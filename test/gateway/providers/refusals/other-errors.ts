import { said } from './refusal-words.ts';

/** Errors that say nothing about a field as such. */
export const OTHERS: readonly (readonly [string, unknown])[] = [
  ['nothing named (Z.AI)', said('Invalid API parameter', { code: '1210' })],
  ['nothing named (MiniMax)', said('invalid params, (2013)')],
  ['nothing named (Gemini)', said('Request contains an invalid argument.')],
  ['a page', '<html>Unknown parameter</html>'],
  ['not an error', null],
  [
    'a value that is out of range',
    said("Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3.", {
      param: 'temperature',
      code: 'decimal_above_max_value',
    }),
  ],
  [
    'a value of several',
    said(
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.",
      { param: 'reasoning_effort', code: 'unsupported_value' },
    ),
  ],
  [
    'two that exclude one another',
    said('`temperature` and `top_p` cannot both be specified for this model. Please use only one.'),
  ],
  ['a combination', said('`temperature` may only be set to 1 when thinking is enabled.')],
  [
    'the name of a tool that quotes a sentence',
    said(
      "Invalid 'tools[0].function.name': \"Unknown parameter: 'temperature'.\" does not match pattern.",
    ),
  ],
  [
    'a prompt that quotes a sentence',
    said(
      'Your prompt was flagged: "Unsupported parameter: \'user\' is not supported with this model."',
    ),
  ],
  [
    'a value that quotes pydantic',
    {
      detail: [
        {
          type: 'string_type',
          loc: ['body', 'messages', 0, 'content'],
          msg: 'Input should be a valid string',
          input: { detail: [{ type: 'extra_forbidden', loc: ['body', 'temperature'] }] },
        },
      ],
    },
  ],
  [
    'vLLM’s echo of a value',
    said(
      "[{'type': 'string_type', 'loc': ('body', 'messages'), 'msg': 'Input should be a valid string', 'input': \"[{'type': 'extra_forbidden', 'loc': ('body', 'user'), 'msg': 'Extra inputs are not permitted'\"}]",
    ),
  ],
];
