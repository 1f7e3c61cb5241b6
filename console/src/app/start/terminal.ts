import type { SetupPart, Shell } from './setups/tool-setup';

/** One word in quotes, for a POSIX shell or for PowerShell. */
export function quoted(text: string, shell: Shell = 'posix'): string {
  return shell === 'posix' ? `'${text.replace(/'/g, `'\\''`)}'` : `'${text.replace(/'/g, "''")}'`;
}

/**
 * Commands for a terminal: environment variables, which last until it is closed, and the program.
 * Commands that contain values quote them with `quoted`.
 */
export function terminal(
  shell: Shell,
  variables: Readonly<Record<string, string>>,
  command: string,
): SetupPart {
  const lines = Object.entries(variables).map(([name, value]) =>
    shell === 'posix'
      ? `export ${name}=${quoted(value)}`
      : `$env:${name} = ${quoted(value, shell)}`,
  );
  return {
    kind: 'code',
    label: shell === 'posix' ? 'tools.inTerminal' : 'tools.inPowerShell',
    code: [...lines, command].join('\n'),
  };
}

/** A settings file in JSON. */
export function jsonFile(file: string, settings: object): SetupPart {
  return { kind: 'code', label: { file }, code: JSON.stringify(settings, null, 2) };
}

/** A file of environment variables. Values are keys, addresses and model IDs: no quotes needed. */
export function envFile(file: string, variables: Readonly<Record<string, string>>): SetupPart {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return { kind: 'code', label: { file }, code: lines.join('\n') };
}
