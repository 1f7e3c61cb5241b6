/** Errors of Amazon Bedrock in AWS' own words. */
export interface AwsError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

const ACCOUNT = '123456789012';
export const PROFILE_ARN = `arn:aws:bedrock:us-east-1:${ACCOUNT}:application-inference-profile/ab12cd34ef56`;

function error(status: number, type: string, message: string): AwsError {
  return { status, type, message };
}

/** The errors in the user guide and the API reference, each by a short name. */
export const AWS_ERRORS = {
  tooLong: error(400, 'ValidationException', 'Input is too long for requested model.'),
  tooLongByModel: error(
    400,
    'ValidationException',
    'The model returned the following errors: prompt is too long: 210000 tokens > 200000 maximum',
  ),
  onDemand: error(
    400,
    'ValidationException',
    'Invocation of model ID anthropic.claude-opus-5-5 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
  ),
  noSuchModel: error(400, 'ValidationException', 'The provided model identifier is invalid.'),
  malformed: error(
    400,
    'ValidationException',
    'Malformed input request: #: required key [max_tokens] not found, please reformat your input and try again.',
  ),
  closedAccount: error(400, 'ValidationException', 'Operation not allowed'),
  quota: error(400, 'ServiceQuotaExceededException', 'Your account has exceeded its quota.'),
  incomplete: error(400, 'IncompleteSignatureException', 'Authorization header is incomplete.'),
  requestExpired: error(400, 'RequestExpired', 'The request is too old.'),
  noAccess: error(
    403,
    'AccessDeniedException',
    `User: arn:aws:iam::${ACCOUNT}:user/weir is not authorized to perform: bedrock:InvokeModel on resource: ${PROFILE_ARN}`,
  ),
  noModelAccess: error(
    403,
    'AccessDeniedException',
    "You don't have access to the model with the specified model ID.",
  ),
  badApiKey: error(
    403,
    'AccessDeniedException',
    'Authentication failed: Please make sure your API Key is valid.',
  ),
  badToken: error(
    403,
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  ),
  expiredToken: error(
    403,
    'ExpiredTokenException',
    'The security token included in the request is expired',
  ),
  badSignature: error(
    403,
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided.',
  ),
  formMissing: error(
    404,
    'FTUFormNotFilled',
    'Model use case details have not been submitted for this account.',
  ),
  notFound: error(
    404,
    'ResourceNotFoundException',
    `Could not resolve the foundation model from the model identifier: ${PROFILE_ARN}`,
  ),
  endOfLife: error(
    404,
    'ResourceNotFoundException',
    'This model version has reached the end of its life. Please refer to the AWS documentation for more details.',
  ),
  modelTimeout: error(
    408,
    'ModelTimeoutException',
    'Model has timed out in processing the request.',
  ),
  modelError: error(424, 'ModelErrorException', 'The system encountered an unexpected error.'),
  throttled: error(429, 'ThrottlingException', 'Too many tokens, please wait before trying again.'),
  throttledForADay: error(
    429,
    'ThrottlingException',
    'Too many tokens per day, please wait before trying again.',
  ),
  notReady: error(429, 'ModelNotReadyException', 'Model is not ready for inference.'),
  internal: error(500, 'InternalServerException', 'The system encountered an unexpected error.'),
  unavailable: error(
    503,
    'ServiceUnavailableException',
    'Bedrock is unable to process your request.',
  ),
} as const satisfies Record<string, AwsError>;
