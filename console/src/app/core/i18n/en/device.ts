export const deviceEnglish = {
  'device.title': 'Log in a tool',
  'device.text': 'Enter the code that the tool shows, and compare it if it is filled in already.',
  'device.code': 'Code',
  'device.continue': 'Continue',
  'device.asks': '{tool} asks to use models in your name.',
  'device.device': 'Device',
  'device.address': 'Address',
  'device.asked': 'Asked',
  'device.warning':
    'Go on only if you started this login yourself, on a device of yours, and the tool shows the same code. Otherwise deny it: someone may want to spend your money.',
  'device.account': 'Account',
  'device.allow': 'Allow',
  'device.deny': 'Deny',
  'device.allowed': 'The tool is logged in. Go back to it; you can close this page.',
  'device.denied': 'The login was denied. The tool gets nothing.',
  'device.toKeys': 'Tools that are logged in are among the API keys',
  'device.on': '{tool} on {place}',
  'device.loggedInFrom': 'Logged in from {address}',
  'device.logOut': 'Log out',
  'device.logOutTitle': 'Log the tool out?',
  'device.logOutText':
    'The tool gets no more replies within a second, and has to log in again. Its records stay.',
  'device.loggedOut': '{name} is logged out.',
  'toolSettings.title': 'Claude Code',
  'toolSettings.intro':
    'Settings that Claude Code of every member takes, once a member is logged in with /login. It asks for them once an hour.',
  'toolSettings.json': 'managed-settings.json',
  'toolSettings.hint':
    'A JSON object. Empty: nothing is set. All members can read it, so enter no secrets.',
  'toolSettings.notJson': 'This is no JSON object: {reason}',
  'toolSettings.checksum': 'In force: {checksum}',
  'toolSettings.saved': 'Saved. Claude Code takes the settings within an hour.',
} as const;
