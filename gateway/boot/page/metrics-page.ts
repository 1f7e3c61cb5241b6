export type Labels = Readonly<Record<string, string>>;

/** Lines of Prometheus' exposition format. */
export class MetricsPage {
  #text = '';

  family(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): void {
    this.#text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  }

  sample(name: string, value: number, labels: Labels): void {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    this.#text += `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  }

  single(name: string, type: 'counter' | 'gauge', help: string, value: number): void {
    this.family(name, type, help);
    this.sample(name, value, {});
  }

  text(): string {
    return this.#text;
  }
}

function escaped(label: string): string {
  return label.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
