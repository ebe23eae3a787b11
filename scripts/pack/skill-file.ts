import { assistantText } from '@orchestrate/server/assistants';

/** The skill in the package: for assistants that write tests in a repository that has it among its dependencies. */
export const skillFile = (): string => `---
name: orchestrate
description: Write tests of sign-ins, sessions, OpenID Connect, SAML and SCIM against the Orchestrate double (npm package orchestrate). Use it where a repository depends on orchestrate, or where a test needs a person who approves or denies on a phone, an expired session, a damaged token, a refusal, or a broken network.
---

# Tests with Orchestrate

${assistantText()}
## More

- \`docs/testing-a-client.md\` of the package: the guide, with curl and Python
- \`/openapi.json\` of a running portal: every endpoint; \`/api/lab/*\` are the controls
`;
