// One block as the whole message, at two sizes: how script time grows with it. Takes the options of run-stream.mjs.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const run = fileURLToPath(new URL('run-stream.mjs', import.meta.url))
const kinds = {
  onecode: '50000,100000',
  onelist: '50000,100000',
  onetable: '25000,50000',
  oneparagraph: '25000,50000',
}
for (const [kind, sizes] of Object.entries(kinds)) {
  const own = [`--kind=${kind}`, `--sizes=${sizes}`, `--out=results/${kind}.json`]
  const { status } = spawnSync(process.execPath, [run, ...own, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
