import type { Routes } from '@angular/router';
import { expect, test } from 'vitest';
import { loadAhead } from './load-ahead';

class Blank {
  readonly name = 'blank';
}

function recorder() {
  const loaded: string[] = [];
  const page = (name: string) => () => {
    loaded.push(name);
    return Promise.resolve(Blank);
  };
  const inner: Routes = [
    { path: '', pathMatch: 'full', redirectTo: 'all' },
    { path: 'all', loadComponent: page('all') },
    { path: 'all/:id', loadComponent: page('one') },
  ];
  const routes: Routes = [
    { path: '', pathMatch: 'full', loadComponent: page('home') },
    {
      path: 'admin',
      loadChildren: () => {
        loaded.push('admin');
        return Promise.resolve(inner);
      },
    },
    { path: 'keys', loadComponent: page('keys') },
  ];
  return { loaded, routes };
}

test.each([
  ['keys', ['keys']],
  ['admin/all', ['admin', 'all']],
  ['admin/all/7', ['admin', 'one']],
  ['admin/all/7/more', ['admin']],
  ['', ['home']],
  ['elsewhere', []],
])('the scripts of /%s are loaded, and no others', async (path, expected) => {
  const { loaded, routes } = recorder();
  await loadAhead(routes, path.split('/').filter(Boolean));
  expect(loaded).toEqual(expected);
});
