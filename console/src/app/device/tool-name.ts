/** Tools by the names that they give themselves; others are shown as they are. */
const NAMES: ReadonlyMap<string, string> = new Map([['claude_code', 'Claude Code']]);

export function toolName(tool: string): string {
  return NAMES.get(tool) ?? tool;
}

/** `Claude Code on laptop`: the tool, and the device or the address that it asked from. */
export function loginName(
  login: { readonly tool: string; readonly device: string; readonly address: string },
  t: (key: 'device.on', values: { tool: string; place: string }) => string,
): string {
  return t('device.on', { tool: toolName(login.tool), place: login.device || login.address });
}
