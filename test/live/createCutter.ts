import { connect, createServer, type Socket } from 'node:net'

/** A way to the service that can be cut, as a lost network does. */
export interface Cutter {
  /** The service's address over this way. */
  readonly url: string
  /** Breaks every connection that is open; new ones go through. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** Opens a port on loopback that leads to the service. */
export async function createCutter(serviceUrl: string): Promise<Cutter> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const service = connect(Number(new URL(serviceUrl).port), '127.0.0.1')
    const ends = [client, service]
    for (const end of ends) {
      open.add(end)
      end.on('error', () => {}) // The other end hears of it by 'close'.
      end.on('close', () => {
        open.delete(end)
        for (const other of ends) other.destroy()
      })
    }
    client.pipe(service)
    service.pipe(client)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const cut = (): void => {
    for (const end of open) end.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        cut()
      }),
  }
}
