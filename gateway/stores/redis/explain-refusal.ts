import { REDIS_RIGHTS } from './rights.ts';

/** Replies of Redis that its operator changes, and how. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^DENIED/,
    'It is in protected mode: give its user a password (ACL SETUSER default on ><password>) and write it into REDIS_URL.',
  ],
  [
    /NOAUTH|WRONGPASS/,
    'Write its user and password into REDIS_URL: redis://user:password@host:port',
  ],
  [
    /unknown (redis )?command/i,
    'Take the rename-command of it out of redis.conf: an ACL forbids commands to other users.',
  ],
  [
    /DB index is out of range|invalid DB index/,
    'Write a database number below "databases" of redis.conf into REDIS_URL, or none.',
  ],
  [
    /^READONLY/,
    'It is a replica, which takes no writes: write the address of its primary into REDIS_URL.',
  ],
  [
    /^NOREPLICAS/,
    'It has too few replicas to take writes: bring them back, or run: redis-cli CONFIG SET min-replicas-to-write 0',
  ],
  [/OOM command not allowed/, 'Its memory is full: raise maxmemory.'],
  [/MISCONF/, 'It cannot write to its disk: make room, or see its log.'],
  [
    /MOVED|CROSSSLOT/,
    'It is a node of a cluster: write the addresses of several of its nodes into REDIS_URL, separated by commas.',
  ],
  [/CLUSTERDOWN/, 'Its cluster does not serve all slots: see redis-cli CLUSTER INFO.'],
];

/** Redis' replies to a user without a right, outside and inside of scripts. */
const FORBIDDEN = /NOPERM|ACL failure|executing the script can't/;

/**
 * The sentence for a reply of Redis that its operator can change; undefined for any other error.
 *
 * @param user of REDIS_URL
 */
export function explainRefusal(error: unknown, user: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (FORBIDDEN.test(message)) {
    return `Redis forbids its user "${user}" what Weir needs (${message}). Run: redis-cli ACL SETUSER ${user} ${REDIS_RIGHTS}`;
  }
  const advice = ADVICE.find(([words]) => words.test(message))?.[1];
  return advice === undefined ? undefined : `Redis refuses what Weir needs (${message}). ${advice}`;
}

/** The user of an address; "default" where it names none. */
export function userOf(url: string): string {
  const [first = ''] = url.split(',');
  return decodeURIComponent(new URL(first.trim()).username) || 'default';
}
