// A debug session by VS Code's own test client: node vscode_client.js FOLDER PORT SOURCE PROGRAM...
// FOLDER has the package; an adapter listens at PORT. Writes one line of JSON for each session.
'use strict';
const assert = require('assert');
const path = require('path');

const [folder, port, source, program, ...args] = process.argv.slice(2);
const { DebugClient } = require(path.join(folder, 'node_modules', '@vscode/debugadapter-testsupport'));
const launch = { program, args, sim: 'dg2' };

async function session(body) {
  const client = new DebugClient('node', '', 'zedbg');
  client.defaultTimeout = 60000;
  await client.start(Number(port));
  try {
    console.log(JSON.stringify(await body(client)));
  } finally {
    await client.stop();
  }
}

// To a breakpoint, with what the client asserts of it by itself; then to the end.
async function toABreakpoint(client) {
  await client.hitBreakpoint(launch, { path: source, line: 3, verified: false }, { path: source, line: 3 });
  const threads = (await client.threadsRequest()).body.threads;
  const frame = (await client.stackTraceRequest({ threadId: threads[0].id })).body.stackFrames[0];
  const scopes = (await client.scopesRequest({ frameId: frame.id })).body.scopes;
  const locals = (await client.variablesRequest({ variablesReference: scopes[1].variablesReference })).body.variables;
  const sum = await client.evaluateRequest({ expression: 'a[i] + b[i]', frameId: frame.id, context: 'watch' });
  const [, stepped] = await Promise.all([
    client.nextRequest({ threadId: threads[0].id }),
    client.assertStoppedLocation('step', { path: source, line: 4 }),
  ]);
  assert.strictEqual(stepped.body.stackFrames[0].line, 4);
  await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
  await Promise.all([
    client.continueRequest({ threadId: threads[0].id }),
    client.waitForEvent('exited'),
    client.waitForEvent('terminated'),
  ]);
  return { threads: threads.length, locals: locals.map((each) => each.name), sum: sum.body.result };
}

// Without a breakpoint: the program's own output, and its end.
async function toTheEnd(client) {
  const seen = client.assertOutput('stdout', 'vadd: 2,1,1 work-groups', 60000);
  await Promise.all([client.configurationSequence(), client.launch(launch), seen, client.waitForEvent('terminated')]);
  return { ended: true };
}

// What cannot be started is a rejected launch.
async function nowhere(client) {
  const wrong = client.launch({ program: '/nonexistent', sim: 'dg2' });
  await assert.rejects(Promise.all([client.configurationSequence(), wrong]), /cannot start/);
  return { rejected: true };
}

(async () => {
  for (const body of [toABreakpoint, toTheEnd, nowhere]) await session(body);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
