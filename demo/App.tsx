import { useMemo, useRef, useState, type ReactElement } from 'react'
import { ChatRoot } from 'agentscope-react'
import {
  agentServiceBackend,
  agentServiceDirectory,
  useAgents,
  type ChatPhase,
} from 'agentscope-react/hooks'
import { Conversation } from './Conversation.js'
import { Icon } from './Icon.js'
import { Modal } from './Modal.js'
import { nameOf, useKnownSessions, useNewSession } from './useNewSession.js'
import { Problem } from './Problem.js'
import type { Service } from './Service.js'
import { ServiceForm } from './ServiceForm.js'
import { Sidebar, type SidebarProps } from './Sidebar.js'
import { useIsNarrow } from './useIsNarrow.js'
import { goTo, languageHref, transportHref, usePlace } from './usePlace.js'
import { useTheme } from './useTheme.js'

type Opened = 'nothing' | 'sidebar' | 'service'

/** The demo: conversations at the side, one of them in the middle. */
export function App({ service }: { readonly service: Service }): ReactElement {
  const [theme, setTheme] = useTheme()
  const [opened, setOpened] = useState<Opened>('nothing')
  const [phase, setPhase] = useState<ChatPhase>('loading')
  const isNarrow = useIsNarrow()
  const place = usePlace()
  const transport = service.isBuiltIn ? place.transport : 'sse'
  const language = service.isBuiltIn ? place.language : 'python'
  const directory = useMemo(
    () => agentServiceDirectory({ baseUrl: service.url, headers: { 'X-User-ID': service.user } }),
    [service],
  )
  const agents = useAgents(directory)
  const agent = agents.data?.find(({ id }) => id === place.agentId) ?? agents.data?.[0] ?? null
  const agentId = place.agentId ?? agent?.id ?? ''
  const newSession = useNewSession({
    directory,
    agentId,
    sessionId: place.sessionId,
    isEmpty: (sessionId) => isEmpty(service, agentId, sessionId),
  })
  const sessions = useKnownSessions(directory, agentId)
  const session = sessions.data?.find(({ id }) => id === place.sessionId) ?? null
  const title = session === null ? (agent?.name ?? '') : nameOf(session)
  const main = useRef<HTMLElement>(null)
  const close = (): void => setOpened('nothing')
  const begin = async (): Promise<void> => {
    close()
    await newSession.open()
    // The other conversation stands with the next frame.
    requestAnimationFrame(() => main.current?.querySelector('textarea')?.focus())
  }
  const sidebar: SidebarProps = {
    service,
    agents: agents.data ?? [],
    agentId,
    sessions: sessions.data ?? [],
    sessionId: place.sessionId,
    phase,
    transport,
    onTransport: (chosen) => goTo(transportHref(chosen), 'replace'),
    language,
    onLanguage: (chosen) => goTo(languageHref(chosen), 'replace'),
    theme,
    onTheme: setTheme,
    onNew: () => void begin(),
    onPick: close,
    onService: () => setOpened('service'),
  }
  // The Task API does not tell what its agent is called. The list does, so a conversation there begins when that is read.
  const isUnnamed = language === 'task-api'
  const agentName = isUnnamed ? agents.data?.find(({ id }) => id === agentId)?.name : undefined
  const hasConversation = agentId !== '' && place.sessionId !== null
  // A conversation says itself when it is not connected, and stays: what it shows may be all there is, and what is typed into it.
  const failure = newSession.error ?? (hasConversation ? null : (agents.error ?? sessions.error))

  return (
    <ChatRoot theme={theme} className="demo">
      {title === '' ? null : <title>{`${title} · agentscope-react`}</title>}
      {isNarrow ? null : (
        <aside className="demo-side" aria-label="Conversations">
          <Sidebar {...sidebar} />
        </aside>
      )}
      <main ref={main} className="demo-main">
        <header className="demo-bar">
          <h1 className="as-sr-only">agentscope-react demo</h1>
          {isNarrow ? (
            <button
              type="button"
              className="demo-button demo-square"
              aria-label="Conversations"
              onClick={() => setOpened('sidebar')}
            >
              <Icon name="menu" />
            </button>
          ) : null}
          <div className="demo-title">
            <h2 dir="auto">{title}</h2>
            <span className="demo-agent">{session === null ? '' : agent?.name}</span>
          </div>
          {isNarrow ? (
            <button
              type="button"
              className="demo-button demo-square"
              aria-label="New conversation"
              onClick={() => void begin()}
            >
              <Icon name="plus" />
            </button>
          ) : null}
        </header>
        {failure === null ? null : (
          <Problem
            service={service}
            error={failure}
            onRetry={() => location.reload()}
            onService={() => setOpened('service')}
          />
        )}
        {hasConversation && !(isUnnamed && agents.isPending) ? (
          <Conversation
            key={`${agentId}/${place.sessionId}/${language}`}
            service={service}
            directory={directory}
            agentId={agentId}
            agentName={agentName}
            sessionId={place.sessionId}
            transport={transport}
            language={language}
            onPhase={setPhase}
          />
        ) : null}
      </main>
      {isNarrow ? (
        <Modal
          className="demo-drawer"
          label="Conversations"
          isOpen={opened === 'sidebar'}
          onClose={close}
        >
          <Sidebar {...sidebar} />
        </Modal>
      ) : null}
      <Modal
        className="demo-dialog"
        label="Agent service"
        isOpen={opened === 'service'}
        onClose={close}
      >
        <ServiceForm service={service} />
      </Modal>
    </ChatRoot>
  )
}

async function isEmpty(service: Service, agentId: string, sessionId: string): Promise<boolean> {
  const headers = { 'X-User-ID': service.user }
  const backend = agentServiceBackend({ baseUrl: service.url, headers, agentId, sessionId })
  const page = await backend.history?.({ limit: 1 })
  return page?.messages.length === 0
}
