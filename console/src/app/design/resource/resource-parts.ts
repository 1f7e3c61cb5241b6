import { PAGE_PARTS } from '../page/page-parts';
import { ResourcePage } from './resource-page';
import { ResourceRow } from './resource-row';

/** What a page about a short list of resources is made of. */
export const RESOURCE_PAGE = [PAGE_PARTS, ResourcePage, ResourceRow] as const;
