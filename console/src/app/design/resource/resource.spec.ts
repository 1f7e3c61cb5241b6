import { Injector, runInInjectionContext, type StaticProvider } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import { beforeEach, describe, expect, test } from 'vitest';
import { group } from '../../../testing/views';
import { ApiFailure } from '../../core/api/api-failure';
import { OperationKeys } from '../../core/state/operation-keys';
import type { Confirmation } from '../dialog/confirm-dialog';
import { Dialogs } from '../dialog/dialogs';
import { Toasts } from '../feedback/toasts';
import { Resource } from './resource';
import { DialogWork, ResourceDialog } from './resource-dialog';

const OTHER = { ...group, name: 'other' };

/** The acts of a page, in their order. */
let done: unknown[] = [];
let saved: unknown;

beforeEach(() => {
  done = [];
  saved = undefined;
});

class TestDialog {
  readonly kind = 'a form';
}

const dialogs = {
  open: (component: unknown, { data }: { readonly data: unknown }) => {
    done.push(['open', component, data]);
    return Promise.resolve(saved);
  },
  confirm: async ({ work, ...about }: Confirmation) => {
    done.push(['confirm', about]);
    await work();
    return true;
  },
};

const toasts = {
  info: (text: string) => done.push(['info', text]),
  warnDoneBefore: () => done.push(['done before']),
  reporting: async (work: () => Promise<unknown>) => {
    await work().catch((thrown: unknown) => done.push(['failed', thrown]));
  },
};

function within<Result>(make: () => Result, extra: StaticProvider[] = []): Result {
  const injector = Injector.create({
    providers: [
      { provide: Dialogs, useValue: dialogs },
      { provide: Toasts, useValue: toasts },
      { provide: OperationKeys, useValue: new OperationKeys(() => 'key') },
      ...extra,
    ],
  });
  return runInInjectionContext(injector, make);
}

describe('A resource', () => {
  function begin(get = () => Promise.resolve({ value: OTHER, etag: '"2"' })) {
    return within(
      () =>
        new Resource({
          list: () => {
            done.push(['list']);
            return Promise.resolve({ data: [group] });
          },
          get,
          delete: (id) => Promise.resolve(done.push(['delete', id])),
          dialog: TestDialog,
          saved: ({ name }) => `saved ${name}`,
          deleting: ({ name }) => ({ heading: 'Delete', text: '', action: 'Delete', name }),
        }),
    );
  }

  test('is listed at once, and again after one was made', async () => {
    const resource = begin();
    saved = OTHER;
    await resource.create();
    expect(resource.value()).toEqual([group]);
    expect(done).toEqual([['list'], ['open', TestDialog, null], ['info', 'saved other'], ['list']]);
  });

  test('is edited as it is now, and is listed again also when the dialog was given up', async () => {
    const resource = begin();
    await resource.edit(group);
    expect(done).toEqual([['list'], ['open', TestDialog, { value: OTHER, etag: '"2"' }], ['list']]);
  });

  test('that is gone is not edited, and that is said', async () => {
    const gone = new ApiFailure({ code: 'not_found' });
    await begin(() => Promise.reject(gone)).edit(group);
    expect(done).toEqual([['list'], ['failed', gone]]);
  });

  test('is deleted when that is confirmed', async () => {
    await begin().delete(group);
    const about = { heading: 'Delete', text: '', action: 'Delete', name: group.name };
    expect(done).toEqual([
      ['list'],
      ['confirm', { ...about, destructive: true }],
      ['delete', group.id],
      ['list'],
    ]);
  });
});

describe('The dialog of a resource', () => {
  const opened = (data: unknown) => [
    { provide: MAT_DIALOG_DATA, useValue: data },
    {
      provide: MatDialogRef,
      useValue: { close: (result: unknown) => done.push(['close', result]) },
    },
  ];

  const create = () => Promise.resolve(group);
  const update = (seen: typeof group, ifMatch: string) => {
    done.push(['update', seen.name, ifMatch]);
    return Promise.resolve(OTHER);
  };

  test('makes a new one', async () => {
    const dialog = within(() => new ResourceDialog<typeof group>(), opened(null));
    expect(dialog.seen).toBeUndefined();
    await dialog.save(create, update);
    expect(done).toEqual([['close', group]]);
  });

  test('changes the version that was seen', async () => {
    const data = { value: group, etag: '"1"' };
    const dialog = within(() => new ResourceDialog<typeof group>(), opened(data));
    expect(dialog.seen).toBe(group);
    await dialog.save(create, update);
    expect(done).toEqual([
      ['update', group.name, '"1"'],
      ['close', OTHER],
    ]);
  });

  test('stays open when it fails, and when something is shown first', async () => {
    const dialog = within(() => new ResourceDialog<typeof group>(), opened(null));
    await dialog.save(
      () => Promise.reject(new ApiFailure({ code: 'precondition_failed' })),
      update,
    );
    expect(dialog.action.failure()?.code).toBe('precondition_failed');
    await dialog.save(() => Promise.resolve(undefined), update);
    expect(done).toEqual([]);
  });

  test('says that money had been moved before', async () => {
    const dialog = within(() => new DialogWork(), opened(null));
    const send = (before: boolean) => (idempotencyKey: string) => {
      done.push(['send', idempotencyKey]);
      return Promise.resolve({ value: '5', before });
    };
    await dialog.act({ amount: 5 }, send(true), (amount) => amount === '5');
    await dialog.act({ amount: 5 }, send(false), (amount) => amount === '5');
    expect(done).toEqual([
      ['send', 'key'],
      ['done before'],
      ['close', true],
      ['send', 'key'],
      ['close', true],
    ]);
  });
});
