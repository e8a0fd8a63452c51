'use client'
import { forwardRef, useContext, useEffect, useState } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import {
  useCapabilities,
  useCommands,
  useConnection,
  usePhase,
  useRequests,
  useSendBlock,
} from '../../hooks/index.js'
import type { ChatPhase, PendingRequest, SendBlock } from '../../hooks/index.js'
import type { Capabilities, ConnectionState, Msg } from '../../protocol/index.js'
import { TakeBackContext } from '../chat-root/TakeBack.js'
import { isQuestion } from '../question/readQuestion.js'
import { ComposerForm } from './ComposerForm.js'
import type { ComposerBlock, ComposerProps } from '../chat-root/SlotProps.js'

/**
 * The field for the person's message: sends it, now or once the run is over, stops the run, leads to what waits for the person, and
 * offers files where the backend takes them. Below a `ChatRoot` it takes back messages that the person wants to write anew.
 *
 * Needs an `AgentStreamProvider`. Parts and data attributes: see `ComposerForm`, which is the composer without a store.
 */
export const Composer: ForwardRefExoticComponent<ComposerProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function Composer(props, ref) {
    const { send, interrupt } = useCommands()
    const { interrupt: canStop, attachments } = useCapabilities()
    const mode = modeOf(usePhase(), canStop)
    const requests = useRequests()
    const blockedBy = readBlock(useSendBlock(), useConnection(), requests)
    const [takenBack, setTakenBack] = useState<Msg | null>(null)
    const place = useContext(TakeBackContext)
    const offer = place?.offer
    useEffect(() => {
      offer?.(setTakenBack)
      return () => offer?.(null)
    }, [offer])
    return (
      <ComposerForm
        {...props}
        ref={ref}
        blockedBy={blockedBy}
        mode={mode}
        accept={attachments}
        takenBack={takenBack}
        onSend={(content) => void send(content)}
        onSendLater={(content) => void send(content, { whenFree: true })}
        onStop={mode === 'send' ? undefined : () => void interrupt()}
      />
    )
  })

function modeOf(
  phase: ChatPhase,
  canStop: Capabilities['interrupt'],
): 'send' | 'stop' | 'stopping' {
  if (phase === 'interrupting') return 'stopping'
  const isStoppable = phase === 'awaiting-person' ? canStop === true : phase === 'streaming'
  return canStop !== false && isStoppable ? 'stop' : 'send'
}

function readBlock(
  block: SendBlock | null,
  { phase }: ConnectionState,
  requests: readonly PendingRequest[],
): ComposerBlock | null {
  if (phase === 'offline') return 'offline'
  if (block === 'gone') return 'gone'
  if (phase === 'failed') return 'failure'
  if (block === 'awaiting-person') {
    return requests.every((one) => one.kind === 'external' && !isQuestion(one)) ? 'tool' : 'request'
  }
  return block === 'running' ? 'run' : null
}
