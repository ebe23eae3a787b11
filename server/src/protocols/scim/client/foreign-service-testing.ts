import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import SCIMMY from 'scimmy';
import Routers from 'scimmy-routers';
import type { JsonObject } from '../json.ts';

type Kept = JsonObject & { id: string; userName: string };

type KeptGroup = JsonObject & { id: string; displayName: string; members?: { value: string }[] };

type Answer = 'cut' | { status: number; headers?: Record<string, string>; body?: object | string };

/** The service's users. There is one map for all services, because SCIMMY has only one set of resources per process. */
const people = new Map<string, Kept>();
const groups = new Map<string, KeptGroup>();

function stored<Resource>(all: Map<string, Resource>, id: string): Resource {
  const found = all.get(id);
  if (!found) throw new SCIMMY.Types.Error(404, '', `Resource ${id} not found.`);
  return found;
}

SCIMMY.Resources.declare(SCIMMY.Resources.User, {
  ingress({ id: known }: { id?: string }, data: { userName: string }) {
    const id = known === undefined ? randomUUID() : stored(people, known).id;
    const { userName } = data;
    const isTaken = [...people.values()].some((one) => one.id !== id && one.userName === userName);
    if (isTaken) throw new SCIMMY.Types.Error(409, 'uniqueness', `${userName} is already taken.`);
    const person: Kept = { ...JSON.parse(JSON.stringify(data)), id };
    people.set(id, person);
    return person;
  },
  egress({ id, filter }: { id?: string; filter?: { match: (all: Kept[]) => Kept[] } }) {
    if (id !== undefined) return stored(people, id);
    return filter ? filter.match([...people.values()]) : [...people.values()];
  },
  degress({ id }: { id: string }) {
    stored(people, id);
    people.delete(id);
  },
});
SCIMMY.Resources.declare(SCIMMY.Resources.Group, {
  ingress({ id: known }: { id?: string }, data: { displayName: string }) {
    const id = known === undefined ? randomUUID() : stored(groups, known).id;
    const { displayName } = data;
    const isTaken = [...groups.values()].some((one) => one.id !== id && one.displayName === displayName);
    if (isTaken) throw new SCIMMY.Types.Error(409, 'uniqueness', `${displayName} is already taken.`);
    const group: KeptGroup = { ...JSON.parse(JSON.stringify(data)), id };
    groups.set(id, group);
    return group;
  },
  egress({ id, filter }: { id?: string; filter?: { match: (all: KeptGroup[]) => KeptGroup[] } }) {
    if (id !== undefined) return stored(groups, id);
    return filter ? filter.match([...groups.values()]) : [...groups.values()];
  },
  degress({ id }: { id: string }) {
    stored(groups, id);
    groups.delete(id);
  },
});
SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser);

/** Starts a third-party SCIM service (scimmy-routers) that keeps users and groups in memory. */
export async function startForeignService(token: string) {
  people.clear();
  groups.clear();
  const app = express();
  const handler = ({ headers }: { headers: { authorization?: string } }) => {
    if (headers.authorization !== `Bearer ${token}`) throw new Error('Wrong token');
    return 'a directory';
  };
  const requests: string[] = [];
  const instead: Answer[] = [];
  const never = new Map<string, number>();
  app.use(({ method, originalUrl }, response, next) => {
    requests.push(`${method} ${originalUrl.replace(/\?.*/, '')}`);
    const status = never.get(method);
    const answer = status === undefined ? instead.shift() : { status };
    if (!answer) return next();
    if (answer === 'cut') return void response.destroy();
    response
      .status(answer.status)
      .set(answer.headers ?? {})
      .send(answer.body ?? {});
  });
  app.use('/scim', new Routers({ type: 'bearer', handler }));
  const server = await new Promise<Server>((resolve) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim`,
    people,
    groups,
    /** Requests received so far, e.g. `PUT /scim/Users/1`. */
    asked: requests,
    /** Responses to send to the next requests instead of the service's own. */
    instead,
    /** Unsupported methods and the status to respond with. */
    never,
    /** Returns the user names of a group's members, sorted, or undefined if the group doesn't exist. */
    membersOf(displayName: string) {
      const group = [...groups.values()].find((one) => one.displayName === displayName);
      return group && (group.members ?? []).map(({ value }) => people.get(value)?.userName ?? value).sort();
    },
    personCalled: (userName: string) => [...people.values()].find((one) => one.userName === userName),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
