/** Exceptions that both versions of an SDK throw: status and class, by event. */
export const OPENAI_EXCEPTIONS = {
  chat: {
    noMoney: [402, 'APIError'],
    unknownModel: [404, 'NotFoundError'],
    unknownKey: [401, 'AuthenticationError'],
    overflow: [400, 'BadRequestError'],
    rateLimited: [429, 'RateLimitError'],
    overloaded: [502, 'InternalServerError'],
    requestsUntilSuccess: 2,
  },
  Responses: {
    noMoney: [429, 'RateLimitError'],
    unknownModel: [404, 'NotFoundError'],
    unknownKey: [401, 'AuthenticationError'],
    overflow: [400, 'BadRequestError'],
    rateLimited: [429, 'RateLimitError'],
    overloaded: [502, 'InternalServerError'],
    requestsUntilSuccess: 2,
  },
} as const;

/** The same of Google's SDK, for every protocol. */
export const GENAI_EXCEPTIONS = {
  noMoney: [402, 'ApiError'],
  unknownModel: [404, 'ApiError'],
  unknownKey: [401, 'ApiError'],
  overflow: [400, 'ApiError'],
  rateLimited: [429, 'ApiError'],
  overloaded: [502, 'ApiError'],
  requestsUntilSuccess: 1,
} as const;
