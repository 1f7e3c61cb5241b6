import type { AdminRoute } from '../admin-route.ts';
import {
  LearnedRefusalUpdate,
  LearnedRefusalView,
  TargetList,
  TargetProfileList,
} from '../../catalog/targets.ts';

export const TARGET_ROUTES = {
  listTargetProfiles: {
    method: 'GET',
    path: '/target-profiles',
    caller: 'admin',
    permission: 'operate',
    summary: 'Vendors and families of models of which a target profile can be chosen.',
    status: 200,
    reply: TargetProfileList,
  },
  listTargets: {
    method: 'GET',
    path: '/channels/:channelId/targets',
    caller: 'admin',
    permission: 'operate',
    summary: 'The models of a channel with their target profiles and learned refusals.',
    status: 200,
    reply: TargetList,
  },
  updateLearnedRefusal: {
    method: 'PATCH',
    path: '/channels/:channelId/learned-refusals/:refusalId',
    caller: 'admin',
    permission: 'operate',
    summary: 'Leaves a field that the upstream has refused out for good, or for a day more.',
    body: LearnedRefusalUpdate,
    status: 200,
    reply: LearnedRefusalView,
  },
  deleteLearnedRefusal: {
    method: 'DELETE',
    path: '/channels/:channelId/learned-refusals/:refusalId',
    caller: 'admin',
    permission: 'operate',
    summary: 'Forgets a refusal: the field is sent again.',
    status: 204,
    reply: 'none',
  },
} as const satisfies Record<string, AdminRoute>;
