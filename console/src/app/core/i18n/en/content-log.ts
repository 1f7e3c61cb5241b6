export const contentLogEnglish = {
  'content.title': 'Prompt and reply',
  'content.hint':
    'They are kept only while the owner of the key has switched on its content log, and only the owner reads them.',
  'content.operatorHint':
    'You can read them while the account lets support in. Your look is written into the audit log of the account.',
  'content.show': 'Show prompt and reply',
  'content.reply': 'reply',
  'content.rawRequest': 'Request as it came',
  'content.rawReply': 'Reply as it was sent',
  'content.keptUntil': 'Deleted',
  'content.cut': 'Longer bodies were cut after {size} bytes.',
  'content.queueFull': 'The content of this request was not kept: the queue was full.',
  'content.quota':
    'The content of this request was not kept: the account had used up its space for the day.',
  'content.log': 'Content log',
  'content.logOf': 'Content log of {name}',
  'content.on': {
    one: 'Requests and replies are kept for {count} day',
    other: 'Requests and replies are kept for {count} days',
  },
  'content.off': 'Off: requests and replies are not kept',
  'content.chip': 'content kept',
  'content.explain':
    'With a content log, the gateway keeps each request with this key and its reply, encrypted. Only you read them, on the page of the request. Support can read them while an owner of the account allows it.',
  'content.days': 'Delete after',
  'content.dayCount': { one: '{count} day', other: '{count} days' },
  'content.understood': 'Keep everything that is sent with this key',
  'content.understoodHint':
    'Also what other people send with it. Tell them before you switch it on.',
  'content.erase': 'Delete what is kept so far',
  'content.eraseHint': 'It cannot be restored.',
  'content.switchOn': 'Keep content',
  'content.switchOff': 'Switch off',
  'content.keepOff': 'Leave it off',
  'content.saved': 'The content log of {name} was changed.',
  'content.operatorForbids': 'The operator of this gateway allows no content logs.',
  'content.accountForbids': 'An owner of this account has forbidden content logs.',
  'content.notYours':
    'Only the member whose key it is keeps its content, or for a key of the account the person who created it.',
  'content.policy': 'Content logs',
  'content.allowed': 'Members may keep the requests and replies of their own keys.',
  'content.forbidden': 'No key of this account keeps requests and replies.',
  'content.supportNever': 'Support cannot read them.',
  'content.supportUntil': 'Support can read them until',
  'content.forbid': 'Forbid',
  'content.forbidTitle': 'Forbid content logs?',
  'content.forbidText':
    'The content logs of all keys are switched off, and everything that is kept is deleted. It cannot be restored.',
  'content.allow': 'Allow',
  'content.letSupportIn': 'Let support read for a day',
  'content.letInTitle': 'Let support read prompts and replies?',
  'content.letInText':
    'For a day, operators of this gateway can read what members of this account keep. Each look is in your audit log. Tell the members first.',
  'content.shutSupportOut': 'End now',
} as const;
