import type { Column } from './column';

/** The order of a column, in the words of `aria-sort`. */
export type SortState = 'ascending' | 'descending' | 'none';

/** `-balance` for `balance`, and the other way round. */
export function opposite(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
}

/** Returns the state of a column in a list that is in this order. */
export function sortState({ sort }: Column, order: string): SortState {
  if (sort === undefined || (order !== sort && order !== opposite(sort))) return 'none';
  return order.startsWith('-') ? 'descending' : 'ascending';
}

/** Returns the order that a click on a column's head requests: its own order, then the opposite. */
export function nextOrder(sort: string, order: string): string {
  return order === sort ? opposite(sort) : sort;
}

/** An order that came with the address, or the list's own: anything else is no order. */
export function orderFrom<Order extends string>(
  parameter: string | undefined,
  orders: readonly Order[],
  own: Order,
): Order {
  return orders.find((order) => order === parameter) ?? own;
}
