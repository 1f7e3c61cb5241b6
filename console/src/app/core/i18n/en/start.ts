export const startEnglish = {
  'start.title': 'Getting started',
  'start.intro': 'Three steps to your first reply.',
  'start.progress': '{done} of {total} done',
  'start.state.done': 'done',
  'start.state.now': 'to do now',
  'start.state.later': 'for later',
  'start.money': 'Add credit to your account',
  'start.moneyHint':
    'Redeem a code, top up by card or choose a plan. Every request is billed exactly by its tokens.',
  'start.seePlans': 'See plans',
  'start.key': 'Create an API key',
  'start.keyHint':
    'Your tools send it with every request. Give each tool its own and set limits if you like.',
  'start.keyThere': 'You have the key {name}.',
  'start.allKeys': 'All keys',
  'start.request': 'Send your first request',
  'start.requestHint':
    'Choose your tool and copy its settings, or try it right here. This page notices when it arrives.',
  'start.requestDone': 'It arrived. Key, address, model and balance all work.',
  'start.tryPlayground': 'Try it in the playground',
  'tools.choose': 'Your tool',
  'tools.inTerminal': 'In a terminal',
  'tools.install': 'Install',
  'tools.noVersion': 'The address without /v1: this tool adds the path itself.',
  'tools.keyOnly': 'Only the key itself goes into the box, without “Bearer ”.',
} as const;
