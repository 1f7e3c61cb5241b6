import { PAGE_PARTS } from '../page/page-parts';
import { ResourcePage } from './resource-page';
import { ResourceRow } from './resource-row';

/** The parts of a page with a short list of resources. */
export const RESOURCE_PAGE = [PAGE_PARTS, ResourcePage, ResourceRow] as const;
