import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import SCIMMY from 'scimmy';
import Routers from 'scimmy-routers';
import type { JsonObject } from '../json.ts';

type Kept = JsonObject & { id: string; userName: string };

type Answer = 'cut' | { status: number; headers?: Record<string, string>; body?: object };

/** Whom it has. SCIMMY has one set of resources per process. */
const people = new Map<string, Kept>();

function stored(id: string): Kept {
  const found = people.get(id);
  if (!found) throw new SCIMMY.Types.Error(404, '', `There is no ${id}.`);
  return found;
}

SCIMMY.Resources.declare(SCIMMY.Resources.User, {
  ingress({ id: known }: { id?: string }, data: { userName: string }) {
    const id = known === undefined ? randomUUID() : stored(known).id;
    const { userName } = data;
    const isTaken = [...people.values()].some((one) => one.id !== id && one.userName === userName);
    if (isTaken) throw new SCIMMY.Types.Error(409, 'uniqueness', `${userName} is taken.`);
    const person: Kept = { ...JSON.parse(JSON.stringify(data)), id };
    people.set(id, person);
    return person;
  },
  egress({ id, filter }: { id?: string; filter?: { match: (all: Kept[]) => Kept[] } }) {
    if (id !== undefined) return stored(id);
    return filter ? filter.match([...people.values()]) : [...people.values()];
  },
  degress({ id }: { id: string }) {
    stored(id);
    people.delete(id);
  },
});
SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser);

/** A SCIM service that we did not write (scimmy-routers), with people in memory. */
export async function foreignService(token: string) {
  people.clear();
  const app = express();
  const handler = ({ headers }: { headers: { authorization?: string } }) => {
    if (headers.authorization !== `Bearer ${token}`) throw new Error('Who are you?');
    return 'a directory';
  };
  const asked: string[] = [];
  const instead: Answer[] = [];
  app.use(({ method, originalUrl }, response, next) => {
    asked.push(`${method} ${originalUrl.replace(/\?.*/, '')}`);
    const answer = instead.shift();
    if (!answer) return next();
    if (answer === 'cut') return void response.destroy();
    response
      .status(answer.status)
      .set(answer.headers ?? {})
      .json(answer.body ?? {});
  });
  app.use('/scim', new Routers({ type: 'bearer', handler }));
  const server = await new Promise<Server>((resolve) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim`,
    people,
    /** Every request, e.g. `PUT /scim/Users/1`. */
    asked,
    /** Answers for the next requests, in place of its own. */
    instead,
    personCalled: (userName: string) => [...people.values()].find((one) => one.userName === userName),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
