import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  type ReactElement,
} from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { AgentChat } from 'agentscope-react'
import {
  AgentStreamProvider,
  sessionsQuery,
  switchableBackend,
  useNotice,
  usePhase,
  type AgentDirectory,
  type ChatPhase,
} from 'agentscope-react/hooks'
import { draftOf } from './draftOf.js'
import { journalOf } from './journalOf.js'
import { LocalTools } from './LocalTools.js'
import type { Service } from './Service.js'
import { suggestionsFor } from './suggestions.js'
import { createBackend, type Language, type Transport } from './transports.js'

/** Props of `Conversation`. */
export interface ConversationProps {
  /** The service. */
  readonly service: Service
  /** Its agents and sessions. */
  readonly directory: AgentDirectory
  /** The agent. */
  readonly agentId: string
  /** What it is called, where its language does not tell. */
  readonly agentName: string | undefined
  /** The session. */
  readonly sessionId: string
  /** What its events come by; may change at any time. */
  readonly transport: Transport
  /** What the agent is spoken to in; another one is another conversation for the page. */
  readonly language: Language
  /** Told what the conversation is doing, whenever that changes. */
  readonly onPhase: (phase: ChatPhase) => void
}

/** The service ends the run a moment after the reply, and only then its list says so. In ms. */
const UNTIL_LISTED = 500

/** One conversation for as long as it is mounted, with what the page adds to it: tools that run here, and a list of sessions that stays up to date. */
export function Conversation(props: ConversationProps): ReactElement {
  const { service, directory, agentId, agentName, sessionId, transport, language, onPhase } = props
  const way = useMemo(
    () => createBackend({ service, agentId, agentName, sessionId, transport, language }),
    [service, agentId, agentName, sessionId, transport, language],
  )
  const [backend] = useState(() => switchableBackend(way))
  useEffect(() => backend.switchTo(way), [backend, way])
  const [journal] = useState(() => journalOf(service))
  const [draft] = useState(() => draftOf(agentId, sessionId))
  return (
    <AgentStreamProvider backend={backend} options={journal && { journal }}>
      <LocalTools />
      <SessionWatch directory={directory} agentId={agentId} onPhase={onPhase} />
      <AgentChat
        className="demo-chat"
        theme="inherit"
        {...draft}
        suggestions={service.isBuiltIn ? suggestionsFor(agentId, language) : undefined}
      />
    </AgentStreamProvider>
  )
}

/** Tells the list what goes on here. Sessions get names and change places while one talks. */
function SessionWatch(props: Pick<ConversationProps, 'directory' | 'agentId' | 'onPhase'>): null {
  const { directory, agentId, onPhase } = props
  const queryClient = useQueryClient()
  const renamed = useNotice('session_updated')
  const phase = usePhase()
  const refresh = useCallback(() => {
    const { queryKey } = sessionsQuery(directory, agentId)
    void queryClient.invalidateQueries({ queryKey })
  }, [queryClient, directory, agentId])
  useLayoutEffect(() => onPhase(phase), [onPhase, phase])
  useEffect(() => {
    if (renamed !== null) refresh()
  }, [refresh, renamed])
  useEffect(() => {
    if (phase === 'loading') return undefined
    const timer = setTimeout(refresh, UNTIL_LISTED)
    return () => clearTimeout(timer)
  }, [refresh, phase])
  return null
}
