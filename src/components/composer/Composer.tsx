'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import {
  useCapabilities,
  useCommands,
  useConnection,
  usePhase,
  useSendBlock,
} from '../../hooks/index.js'
import type { ChatPhase, SendBlock } from '../../hooks/index.js'
import type { ConnectionState } from '../../protocol/index.js'
import { ComposerForm } from './ComposerForm.js'

import type { ComposerBlock, ComposerProps } from '../chat-root/SlotProps.js'

/**
 * The field for the person's message: sends it, stops the run, and offers files where the backend takes them.
 *
 * Needs an `AgentStreamProvider`. Parts and data attributes: see `ComposerForm`, which is the composer without a store.
 */
export const Composer: ForwardRefExoticComponent<ComposerProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function Composer(props, ref) {
    const { send, interrupt } = useCommands()
    const { interrupt: canStop, attachments } = useCapabilities()
    const phase = usePhase()
    const blockedBy = readBlock(useSendBlock(), useConnection())
    return (
      <ComposerForm
        {...props}
        ref={ref}
        blockedBy={blockedBy}
        mode={canStop ? modeOf(phase) : 'send'}
        accept={attachments}
        onSend={(content) => void send(content)}
        onStop={() => void interrupt()}
      />
    )
  })

function modeOf(phase: ChatPhase): 'send' | 'stop' | 'stopping' {
  if (phase === 'interrupting') return 'stopping'
  return phase === 'streaming' || phase === 'awaiting-person' ? 'stop' : 'send'
}

function readBlock(block: SendBlock | null, { phase }: ConnectionState): ComposerBlock | null {
  if (phase === 'offline') return 'offline'
  if (phase === 'failed') return 'failure'
  if (block === 'awaiting-person') return 'request'
  return block === 'running' ? 'run' : null
}
