import { randomUUID } from 'node:crypto';
import express from 'express';
import SCIMMY from 'scimmy';
import Routers from 'scimmy-routers';
import { PORT } from './site.mjs';

const { ENDPOINT, SCIM_USER, SCIM_PASSWORD, SCIM_TOKEN } = process.env;
const BASIC = `Basic ${Buffer.from(`${SCIM_USER}:${SCIM_PASSWORD}`).toString('base64')}`;

// A service of its own: people in a map.
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
    if (isTaken) throw new SCIMError(409, 'uniqueness', `${userName} is taken.`);
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

/** Everybody that the portal lists, as its own schema reads them. */
app.get('/read', async ({ query }, response) => {
  const authorization = 'token' in query ? `Bearer ${SCIM_TOKEN}` : BASIC;
  const answer = await fetch(`${ENDPOINT}/Users?count=50`, { headers: { authorization } });
  const { Resources } = new SCIMMY.Messages.ListResponse(await answer.json());
  if (Resources.length < 50) throw new Error(`Only ${Resources.length} people were listed.`);
  const read = Resources.map((resource) => new SCIMMY.Schemas.User(resource, 'out'));
  if (read.some(({ id, userName }) => !id || !userName)) throw new Error('Somebody has no id or no name.');
  response.send(read);
});
app.listen(PORT, 'localhost');
