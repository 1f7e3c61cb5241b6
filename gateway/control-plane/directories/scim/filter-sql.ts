import type { Filter, FilterValue, Operator } from './filter.ts';
import { invalid } from './scim-error.ts';
import { locate, type Attribute, type ResourceKind } from './schema.ts';

/** The SQL of a list attribute: its rows, and its sub-attributes in them. */
interface ListColumns {
  readonly from: string;
  readonly subs: Readonly<Record<string, string>>;
}

/** The SQL of a resource's attributes by their names, joined by dots. */
export interface ResourceColumns {
  readonly kind: ResourceKind;
  readonly single: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, ListColumns>>;
}

const COMPARED: Readonly<Partial<Record<Operator, string>>> = {
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};

const isTrueText = (value: FilterValue): boolean => String(value).toLowerCase() === 'true';

/** Writes a filter as a condition, with its values as parameters behind those that are there. */
export class FilterCondition {
  readonly values: unknown[];
  readonly #columns: ResourceColumns;

  constructor(columns: ResourceColumns, values: readonly unknown[]) {
    this.#columns = columns;
    this.values = [...values];
  }

  sql(filter: Filter): string {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return `(${this.sql(filter.left)} ${filter.kind} ${this.sql(filter.right)})`;
      case 'not':
        return `(not coalesce(${this.sql(filter.of)}, false))`;
      case 'some':
        return this.#some(filter.path, (list) => this.#inList(filter.of, filter.path, list));
      case 'present':
      case 'compare':
        return this.#leaf(filter);
    }
  }

  #leaf(filter: Filter & { readonly kind: 'present' | 'compare' }): string {
    const found = locate(this.#columns.kind, filter.path);
    if (found?.attribute === undefined) throw unknown(filter.path);
    const { attribute, sub, names } = found;
    if (attribute.multiValued === true) {
      const within = { ...filter, path: sub?.name ?? 'value' };
      return this.#some(attribute.name, (list) => this.#inList(within, attribute.name, list));
    }
    const column = this.#columns.single[names.join('.')];
    if (column === undefined) throw unknown(filter.path);
    return this.#test(filter, sub ?? attribute, column);
  }

  #some(path: string, condition: (list: ListColumns) => string): string {
    const name = locate(this.#columns.kind, path)?.attribute?.name ?? '';
    const list = this.#columns.lists[name];
    if (list === undefined) throw unknown(path);
    return `exists (select ${list.from} and ${condition(list)})`;
  }

  /** A condition on one row of a list. */
  #inList(filter: Filter, listPath: string, list: ListColumns): string {
    switch (filter.kind) {
      case 'and':
      case 'or': {
        const left = this.#inList(filter.left, listPath, list);
        return `(${left} ${filter.kind} ${this.#inList(filter.right, listPath, list)})`;
      }
      case 'not':
        return `(not coalesce(${this.#inList(filter.of, listPath, list)}, false))`;
      case 'some':
        throw unknown(filter.path);
      case 'present':
      case 'compare': {
        const sub = locate(this.#columns.kind, `${listPath}.${filter.path}`)?.sub;
        const column = sub === undefined ? undefined : list.subs[sub.name];
        if (sub === undefined || column === undefined) throw unknown(filter.path);
        return this.#test(filter, sub, column);
      }
    }
  }

  #test(
    filter: Filter & { readonly kind: 'present' | 'compare' },
    attribute: Attribute,
    column: string,
  ): string {
    if (filter.kind === 'present') return `(${column}) is not null`;
    const { operator, value } = filter;
    if (value === null && (operator === 'eq' || operator === 'ne')) {
      return `(${column}) is ${operator === 'eq' ? '' : 'not '}null`;
    }
    if (attribute.type === 'boolean') return this.#boolean(operator, value, column);
    if (attribute.type === 'dateTime') return this.#time(operator, value, column);
    if (attribute.type === 'complex') throw unknown(filter.path);
    const isExact = attribute.caseExact === true;
    return this.#text(operator, String(value), isExact ? [column, ''] : [column, 'lower']);
  }

  #boolean(operator: Operator, value: FilterValue, column: string): string {
    if (operator !== 'eq' && operator !== 'ne') throw unfit(operator);
    return `(${column}) is ${operator === 'eq' ? '' : 'not '}${isTrueText(value) ? 'true' : 'false'}`;
  }

  #time(operator: Operator, value: FilterValue, column: string): string {
    const compared = operator === 'eq' ? '=' : COMPARED[operator];
    if (compared === undefined) throw unfit(operator);
    const at = Date.parse(String(value));
    if (Number.isNaN(at)) throw invalid('invalidFilter', `"${String(value)}" is no time.`);
    return `(${column}) ${compared} ${this.#bind(new Date(at))}`;
  }

  #text(operator: Operator, value: string, [column, fold]: readonly [string, string]): string {
    const folded = `${fold}(${column})`;
    const bound = `${fold}(${this.#bind(value)}::text)`;
    if (operator === 'co') return `strpos(${folded}, ${bound}) > 0`;
    if (operator === 'sw') return `starts_with(${folded}, ${bound})`;
    if (operator === 'ew') return `right(${folded}, length(${bound})) = ${bound}`;
    if (operator === 'eq') return `${folded} = ${bound}`;
    if (operator === 'ne') return `${folded} is distinct from ${bound}`;
    return `${folded} ${COMPARED[operator] ?? ''} ${bound}`;
  }

  #bind(value: unknown): string {
    this.values.push(value);
    return `$${String(this.values.length)}`;
  }
}

function unknown(path: string) {
  return invalid('invalidFilter', `Resources cannot be found by "${path}".`);
}

function unfit(operator: Operator) {
  return invalid('invalidFilter', `"${operator}" does not fit the attribute.`);
}
