import { Component, inject } from '@angular/core';
import { MatDialogRef } from '@angular/material/dialog';
import { SideNav } from './side-nav';

/** The way around on narrow pages: closes when a link is followed. */
@Component({
  selector: 'weir-nav-drawer',
  imports: [SideNav],
  template: `<weir-side-nav (followed)="close()" />`,
  styles: `
    :host {
      display: block;
      height: 100dvh;
    }
  `,
})
export class NavDrawer {
  readonly #dialog = inject<MatDialogRef<NavDrawer>>(MatDialogRef);

  protected close(): void {
    this.#dialog.close();
  }
}
