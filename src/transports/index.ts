export { systemClock } from './Clock.js'
export type { Clock } from './Clock.js'
export { createSseParser } from './createSseParser.js'
export type { SseEvent, SseParser, SseParserOptions } from './createSseParser.js'
export type { Fetch, HeadersSource, HttpTarget } from './HttpTarget.js'
export type { KeepOptions } from './keepConnected.js'
export { openPolling } from './openPolling.js'
export type {
  PolledPage,
  PollingGap,
  PollingHandle,
  PollingOffset,
  PollingOptions,
} from './openPolling.js'
export type { PollingIntervals } from './createPollingPace.js'
export { openSse } from './openSse.js'
export type { SseOptions } from './openSse.js'
export { openWebSocket, SOCKET_PROTOCOL } from './openWebSocket.js'
export type { OpenSocket, WebSocketOptions } from './openWebSocket.js'
export { withRenewal } from './Renewal.js'
export type { RenewCredentials } from './Renewal.js'
export { request } from './request.js'
export type { RequestOptions } from './request.js'
export { requestStream } from './requestStream.js'
export type { StreamAnswer } from './requestStream.js'
export { statusError } from './statusError.js'
export type { WebSocketConstructor, WebSocketLike } from './WebSocketLike.js'
