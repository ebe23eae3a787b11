import { randomUUID } from 'node:crypto';
import express from 'express';
import SCIMMY from 'scimmy';
import Routers from 'scimmy-routers';
import { PORT } from './site.mjs';

const { ENDPOINT, SCIM_USER, SCIM_PASSWORD, SCIM_TOKEN } = process.env;
const BASIC = `Basic ${Buffer.from(`${SCIM_USER}:${SCIM_PASSWORD}`).toString('base64')}`;

// A SCIM service that stores users in a map.
const people = new Map();
const { Error: SCIMError } = SCIMMY.Types;
const stored = (id) => {
  const found = people.get(id);
  if (!found) throw new SCIMError(404, null, `There is no ${id}.`);
  return found;
};
SCIMMY.Resources.declare(SCIMMY.Resources.User, {
  ingress({ id = randomUUID() }, data) {
    const { userName } = data;
    const isTaken = [...people.values()].some((one) => one.id !== id && one.userName === userName);
    if (isTaken) throw new SCIMError(409, 'uniqueness', `${userName} is already taken.`);
    const person = { ...people.get(id), ...JSON.parse(JSON.stringify(data)), id };
    people.set(id, person);
    return person;
  },
  egress: ({ id, filter }) => (id ? stored(id) : filter ? filter.match([...people.values()]) : [...people.values()]),
  degress({ id }) {
    stored(id);
    people.delete(id);
  },
});

const app = express();
app.use('/scim', new Routers({ type: 'bearer', handler: () => 'a directory' }));

/** Reads all of the portal's users with the client's own schema. */
app.get('/read', async ({ query }, response) => {
  const authorization = 'token' in query ? `Bearer ${SCIM_TOKEN}` : BASIC;
  const answer = await fetch(`${ENDPOINT}/Users?count=50`, { headers: { authorization } });
  const { Resources } = new SCIMMY.Messages.ListResponse(await answer.json());
  if (Resources.length < 50) throw new Error(`Only ${Resources.length} users were listed.`);
  const read = Resources.map((resource) => new SCIMMY.Schemas.User(resource, 'out'));
  if (read.some(({ id, userName }) => !id || !userName)) throw new Error('A user has no id or userName.');
  response.send(read);
});

/** Creates a group with two users, finds it by name and member, and reads it with the client's own schema. */
app.get('/group', async (_request, response) => {
  const ask = async (path, body) => {
    const headers = { authorization: BASIC, 'content-type': 'application/scim+json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`${ENDPOINT}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { Resources: users } = new SCIMMY.Messages.ListResponse(await ask('/Users?count=2'));
  const members = users.map(({ id }) => ({ value: id }));
  const made = await ask('/Groups', new SCIMMY.Schemas.Group({ displayName: 'Created by scimmy', members }, 'in'));
  const filter = encodeURIComponent(`displayName eq "created BY scimmy" and members.value eq "${users[0].id}"`);
  const { Resources } = new SCIMMY.Messages.ListResponse(await ask(`/Groups?filter=${filter}`));
  const [group] = Resources.map((resource) => new SCIMMY.Schemas.Group(resource, 'out'));
  if (group?.id !== made.id || group.members.length !== 2)
    throw new Error('The group that was found differs from the one that was created.');
  response.send(group);
});
app.listen(PORT, 'localhost');
