/** Texts of the log-in page and of linked identities. */
export const signOnEnglish = {
  'signOn.with': 'Continue with {name}',
  'signOn.or': 'or',
  'signOn.only': 'People of this domain log in with {name}, without a password here.',
  'signOn.title': 'Signing on',
  'signOn.wait': 'One moment: your provider’s reply is checked.',
  'signOn.again': 'To the log-in page',
  'identities.title': 'Linked identities',
  'identities.intro': 'Ways to log in by an identity provider instead of a password.',
  'identities.none': 'No identity is linked yet.',
  'identities.link': 'Link {name}',
  'identities.unlink': 'Unlink',
  'identities.unlinkNamed': 'Unlink {name}',
  'identities.unlinkTitle': 'Unlink this identity?',
  'identities.unlinkText':
    'You can no longer log in by {name}. Other sessions that began with it end now.',
  'identities.kept': 'Cannot be unlinked: it is your only way in, or an account depends on it.',
  'identities.used': 'Last used',
  'identities.gone': 'Deleted provider',
} as const;
