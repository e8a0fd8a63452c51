// @vitest-environment node
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgentServer, type AgentServerOptions } from '../../../../src/testing/server/index.js'
import { TaskClient, type PolledEvent } from './TaskClient.js'

async function start(options: AgentServerOptions = {}) {
  const server = await createAgentServer({ pace: 0, ...options })
  onTestFinished(() => server.close())
  return { server, client: new TaskClient(server.url) }
}

const typesOf = (events: readonly PolledEvent[]) => events.map(({ type }) => type)
/** Without repetitions, so that the sizes of chunks play no part. */
const outline = (events: readonly PolledEvent[]) =>
  typesOf(events).filter((type, index, all) => type !== all[index - 1])
const textOf = (events: readonly PolledEvent[]) =>
  events.map(({ type, data }) => (type === 'text_chunk' ? data.content : '')).join('')
const is = (type: string) => (event: PolledEvent) => event.type === type

describe('the Task API of createAgentServer', () => {
  it('tells a plain answer in the order of the API, and stores it as the script has it', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('Hello?')
    const { events, status } = await client.until(taskId)
    expect(status).toBe('succeeded')
    expect(outline(events)).toEqual([
      'user_message',
      'ai_message_start',
      'user_message',
      'api_request_start',
      'thinking_start',
      'thinking_chunk',
      'thinking_end',
      'text_start',
      'text_chunk',
      'text_end',
      'token_update',
      'conversation_changed',
      'task_complete',
    ])
    expect(events.map(({ idx }) => idx)).toEqual(events.map((_, index) => index))
    expect(events.find(is('text_end'))?.data['full_content']).toBe(textOf(events))
    const [asked, told, answered] = await client.messages(conversationId)
    expect(asked).toMatchObject({ role: 'user', content: 'Hello?' })
    expect(told).toMatchObject({
      role: 'user',
      metadata: { message_source: 'notify', visibility: 'compact', starts_work: false },
    })
    expect(answered).toMatchObject({ role: 'assistant', content: textOf(events) })
    expect(events[0]?.data).toMatchObject({
      message_id: asked?.['message_id'],
      task_id: taskId,
      conversation_id: conversationId,
      workspace_id: 'friday',
    })
  })

  it('polls as the API does: an offset comes back, and what is no number counts as 0', async () => {
    const { client } = await start()
    const { taskId } = await client.send('Hello?')
    const { events } = await client.until(taskId)
    const pageOf = (from: string) => client.page(taskId, from)
    expect((await pageOf('3')).events[0]?.idx).toBe(3)
    expect(await pageOf('7000')).toMatchObject({ events: [], next_offset: 7000 })
    for (const from of ['', 'x', '1.5', '-4']) {
      const { events: all, next_offset } = await pageOf(from)
      expect([all.length, next_offset]).toEqual([events.length, events.length])
    }
  })

  it('has its fields at the top in version 1, and in `data` on the web', async () => {
    const { client } = await start()
    const v1 = await client.ask('POST', '/api/v1/workspaces/friday/messages', { message: 'Hello' })
    expect([v1.status, typeof v1.body.task_id, v1.body['workspace_id']]).toEqual([
      202,
      'string',
      'friday',
    ])
    const web = await client.ask('POST', '/api/tasks', { message: 'Hello', workspace_id: 'coder' })
    expect([web.status, web.body.data?.['workspace_id']]).toEqual([202, 'coder'])
    const page = await client.page(web.body.data?.task_id ?? '', 0, '/api')
    expect(page).toMatchObject({ message: 'Hello', task_type: 'chat', window_start: 0 })
    expect(await client.page(v1.body.task_id ?? '', 0)).not.toHaveProperty('window_start')
  })

  it('prepares tools before they start, and ends them as completed whatever came of it', async () => {
    const { client } = await start()
    const { taskId } = await client.send('Plan three days in Lisbon')
    const { events } = await client.until(taskId)
    const preparing = events.findIndex(is('tool_preparing'))
    const ended = events.findIndex(is('text_end'))
    expect(preparing).toBeLessThan(ended)
    expect(ended).toBeLessThan(events.findIndex(is('tool_start')))
    expect(typesOf(events).filter((type) => type === 'ai_message_start')).toHaveLength(1)
    expect(typesOf(events).filter((type) => type === 'api_request_start')).toHaveLength(3)
    const results = events.filter(is('update_action')).map(({ data }) => data)
    expect(results.map(({ preparing_id: id }) => id)).toEqual([
      'call_porto',
      'call_lisbon',
      'call_search',
      'call_chart',
    ])
    expect(results.every(({ status }) => status === 'completed')).toBe(true)
    const starts = events.filter(is('tool_start')).map(({ data }) => data)
    expect(new Set(starts.map(({ id }) => id)).size).toBe(4)
    expect(starts[0]).toMatchObject({ arguments: { city: 'Lisbon', days: 3 } })
    const totals = events.filter(is('token_update')).map(({ data }) => data)
    expect(totals.map((total) => total['cumulative_input_tokens'])).toEqual([812, 2272, 3974])
    expect(events.at(-1)?.data).toMatchObject({ total_iterations: 3, total_tool_calls: 4 })
  })

  it('stores the very result that it told', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('Plan three days in Lisbon')
    const { events } = await client.until(taskId)
    const told = events
      .filter(is('update_action'))
      .map(({ data }) => [data.preparing_id, data.result])
    const messages = await client.messages(conversationId)
    const stored = messages.flatMap(({ role, tool_call_id: id, metadata }) =>
      role === 'tool' ? [[id, metadata?.['tool_payload']]] : [],
    )
    expect(new Map(stored.map(([id, result]) => [id, result]))).toEqual(
      new Map(told.map(([id, result]) => [id, result])),
    )
    const calls = messages.map(({ tool_calls: all }) => all?.map(({ id }) => id))
    expect(calls.filter((ids) => ids !== undefined)).toEqual([
      ['call_lisbon', 'call_porto', 'call_search'],
      ['call_chart'],
    ])
  })

  it('waits for a decision while it runs, and goes on when a call is approved', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('Send Ana an email')
    const asked = await client.until(taskId, is('tool_approval_required'))
    const approval = asked.events.find(is('tool_approval_required'))?.data.approval
    expect(approval).toMatchObject({
      task_id: taskId,
      conversation_id: conversationId,
      tool_call_id: 'call_email',
      tool_name: 'send_email',
      status: 'pending',
      arguments: { to: 'ana@example.com' },
    })
    expect(await client.page(taskId, 0)).toMatchObject({ status: 'running' })
    const query = `?conversation_id=${conversationId}`
    const list = await client.ask('GET', `/api/tool-approvals/pending${query}`)
    expect(list.body.items).toEqual([approval])
    const path = `/api/tool-approvals/${approval?.approval_id}/decision`
    expect((await client.ask('POST', path, { decision: 'maybe' })).status).toBe(400)
    const decided = await client.ask('POST', path, { decision: 'approved' })
    expect(decided).toMatchObject({ status: 200, body: { item: { status: 'approved' } } })
    // The second answer finds it settled.
    const again = await client.ask('POST', path, { decision: 'rejected' })
    expect(again).toMatchObject({ status: 200, body: { item: { status: 'approved' } } })
    const { events, status } = await client.until(taskId)
    expect(status).toBe('succeeded')
    const story = outline(events.slice(events.findIndex(is('tool_approval_required'))))
    expect(story.slice(0, 6)).toEqual([
      'tool_approval_required',
      'update_action',
      'tool_approval_resolved',
      'tool_start',
      'update_action',
      'api_request_start',
    ])
    expect(typesOf(events).filter((type) => type === 'ai_message_start')).toHaveLength(1)
    expect(textOf(events)).toContain('Ana will have it in a minute')
    const left = await client.ask('GET', `/api/tool-approvals/pending${query}`)
    expect(left.body.items).toEqual([])
  })

  it('ends the run when a call is rejected, and calls that a success', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('Book a table for dinner')
    const asked = await client.until(
      taskId,
      ({ data }) => data.approval?.['tool_name'] === 'publish_post',
    )
    const ids = asked.events.flatMap(({ data }) => data.approval?.approval_id ?? [])
    expect(ids).toHaveLength(2)
    await client.ask('POST', `/api/tool-approvals/${ids[0]}/decision`, { decision: 'rejected' })
    const { events, status } = await client.until(taskId)
    expect(status).toBe('succeeded')
    const ends = events.flatMap(
      ({ data: { preparing_id: id, result, status: how, id: execution } }) =>
        how === 'completed' || how === 'cancelled'
          ? [[id, how, result?.['status'], execution]]
          : [],
    )
    expect(ends).toEqual([
      ['call_sky', 'completed', undefined, expect.any(String)],
      ['call_table', 'completed', 'rejected', undefined],
      ['call_note', 'cancelled', 'cancelled', undefined],
    ])
    expect(events.at(-1)).toMatchObject({
      type: 'task_stopped',
      data: { reason: 'approval_rejected' },
    })
    const { role, metadata } = (await client.messages(conversationId)).at(-1) ?? {}
    expect([role, metadata]).toMatchObject(['tool', { tool_payload: { status: 'cancelled' } }])
  })

  it('asks questions in a batch, answered one by one in any order', async () => {
    const { client } = await start()
    const { taskId } = await client.send('Help me choose a gift')
    const asked = await client.until(taskId, is('user_questions_required'))
    const [first, second] = asked.events.find(is('user_questions_required'))?.data.questions ?? []
    expect(first).toMatchObject({ batch_index: 1, batch_total: 2, tool_call_id: 'call_ask' })
    expect(second?.['batch_id']).toBe(first?.['batch_id'])
    const answer = (id: string | undefined, body: object) =>
      client.ask('POST', `/api/user-questions/${id}/answer`, body)
    expect((await answer(first?.question_id, {})).status).toBe(400)
    await answer(second?.question_id, { selected_option_id: 'little', text: 'less is fine' })
    const open = await client.ask('GET', '/api/user-questions/pending')
    expect(open.body.items).toMatchObject([{ question_id: first?.question_id }])
    expect((await client.page(taskId, 0)).status).toBe('running')
    await answer(first?.question_id, { selected_option_id: 'parent' })
    const { events } = await client.until(taskId)
    expect(events.find(is('user_questions_resolved'))?.data).toMatchObject({
      question_ids: [first?.question_id, second?.question_id],
    })
    const results = events.filter(is('update_action')).map(({ data }) => data.result)
    expect(results).toMatchObject([
      { status: 'awaiting_user_answer' },
      {
        answer_text: 'Who is it for? A parent\nWhat may it cost? Up to 20 €: less is fine',
      },
    ])
    expect(events.filter(is('tool_intent')).at(-1)?.data['intent']).toBe(
      'learn whom the gift is for',
    )
  })

  it('asks for a plan, and goes on either way', async () => {
    const { client } = await start()
    for (const approved of [true, false]) {
      const { taskId } = await client.send('Propose a migration')
      const asked = await client.until(taskId, is('plan_approval_required'))
      const plan = asked.events.find(is('plan_approval_required'))?.data.approval
      expect(plan).toMatchObject({ plan_file: 'plans/new-store.md', tool_call_id: 'call_plan' })
      const path = `/api/plan-approvals/${plan?.approval_id}/answer`
      await client.ask('POST', path, { approved, comment: 'Mind the indexes.' })
      const { events, status } = await client.until(taskId)
      expect(status).toBe('succeeded')
      expect(events.find(is('plan_approval_resolved'))?.data).toMatchObject({
        decision: approved ? 'approved' : 'rejected',
        comment: 'Mind the indexes.',
      })
      expect(textOf(events)).toContain(approved ? '14 tables' : 'I change nothing')
      expect(events.at(-1)?.type).toBe('task_complete')
    }
  })

  it('says that tools of the client do not exist', async () => {
    const { client } = await start()
    const { taskId } = await client.send('What time is it?')
    const { events, status } = await client.until(taskId)
    expect(events.find(is('update_action'))?.data).toMatchObject({
      status: 'completed',
      result: { success: false, status: 'denied', code: 'tool_not_allowed' },
    })
    expect([status, events.at(-1)?.type]).toEqual(['succeeded', 'task_complete'])
  })

  it('tells of attempts that failed, and stores nothing of them', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('When does the ferry leave?')
    const { events } = await client.until(taskId)
    const requests = events.filter(is('api_request_start')).map(({ data }) => data['attempt'])
    expect(requests).toEqual([1, 2, 3])
    expect(events.find(is('stream_reset'))?.data).toMatchObject({ attempt: 1, retry_in: 0.6 })
    const error = events.find(is('error'))?.data
    expect(error).toMatchObject({ retry: true, status_code: 503, attempt: 2 })
    const stored = (await client.messages(conversationId)).at(-1)?.content
    expect(stored).toBe(events.findLast(is('text_end'))?.data['full_content'])
    expect(stored).not.toContain('nine')
  })

  it('hides a fatal error in a success', async () => {
    const { client } = await start()
    const { taskId } = await client.send('Summarise the contract')
    const { events, status } = await client.until(taskId)
    expect(status).toBe('succeeded')
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      data: { retry: false, status_code: 503, error_type: 'upstream' },
    })
    expect(typesOf(events)).not.toContain('task_complete')
    expect(typesOf(events)).not.toContain('text_end')
  })

  it('fails when a worker breaks', async () => {
    const perform = () => {
      throw new Error('No script.')
    }
    const { client } = await start({ agents: [{ id: 'friday', name: 'Friday', perform }] })
    const { taskId } = await client.send('Hello?')
    await client.until(taskId)
    expect(await client.page(taskId, 0)).toMatchObject({ status: 'failed', error: 'No script.' })
  })

  it('stops: it says so twice, and calls that never ran have no execution', async () => {
    const { client } = await start()
    const { taskId } = await client.send('Send Ana an email')
    await client.until(taskId, is('tool_approval_required'))
    expect((await client.ask('POST', `/api/v1/tasks/${taskId}/cancel`)).status).toBe(200)
    const stopped = await client.until(taskId)
    expect(stopped.status).toBe('stopped')
    const { events } = await client.page(taskId, 0)
    expect(typesOf(events).filter((type) => type === 'task_stopped')).toHaveLength(2)
    const { data } = events.findLast(is('update_action')) ?? {}
    expect(data).toMatchObject({ preparing_id: 'call_email', status: 'cancelled' })
    expect(data).not.toHaveProperty('id')
    // Also for a task that is over.
    expect((await client.ask('POST', `/api/v1/tasks/${taskId}/cancel`)).status).toBe(200)
  })

  it('goes on in the same task after its memory was compressed', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('Read the minutes')
    const { events } = await client.until(taskId)
    const story = outline(events)
    expect(story.slice(story.indexOf('compression_state'))).toEqual(
      expect.arrayContaining(['compression_state', 'compression_finished', 'ai_message_start']),
    )
    expect(typesOf(events).filter((type) => type === 'ai_message_start')).toHaveLength(2)
    const handoff = events.findIndex(({ data }) => data['message_source'] === 'compression_handoff')
    expect(handoff).toBeLessThan(events.findLastIndex(is('ai_message_start')))
    expect(events.findLastIndex(is('ai_message_start'))).toBeGreaterThan(handoff)
    expect((await client.messages(conversationId)).at(-1)?.content).toContain('the choir sings')
    expect(typesOf(events).filter((type) => type === 'task_complete')).toHaveLength(1)
  })

  it('begins a task by itself when something in the background is done', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('Sum the sales')
    const { events } = await client.until(taskId)
    expect(events.at(-1)?.data).toMatchObject({ has_running_background_commands: true })
    const notice = async () => {
      const { body } = await client.ask('GET', '/api/tasks')
      // A list of summaries.
      const tasks = body.data as unknown as readonly { task_id: string; task_type: string }[]
      return tasks.find(({ task_type: type }) => type === 'notice')?.task_id
    }
    await expect.poll(notice, { interval: 5 }).toBeDefined()
    const woken = await client.until((await notice()) ?? '')
    expect(outline(woken.events).slice(0, 3)).toEqual([
      'user_message',
      'ai_message_start',
      'api_request_start',
    ])
    expect(woken.events[0]?.data).toMatchObject({
      message_source: 'background_command',
      visibility: 'compact',
    })
    expect((await client.messages(conversationId)).at(-1)?.content).toContain('143,055')
  })

  it('takes guidance while it works', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const says = { kind: 'model', says: [{ kind: 'text', chunks: ['Done.'] }] } as const
    const perform = () => ({ steps: [{ kind: 'wait', until: gate } as const, says] })
    const { client } = await start({ agents: [{ id: 'friday', name: 'Friday', perform }] })
    const { taskId, conversationId } = await client.send('Work')
    const path = `/api/tasks/${taskId}/runtime_guidance`
    expect((await client.ask('POST', path, { message: ' ' })).status).toBe(400)
    expect((await client.ask('POST', path, { message: 'Be quick' })).status).toBe(200)
    release()
    const { events } = await client.until(taskId)
    expect(events.findLast(is('user_message'))?.data).toMatchObject({
      message_source: 'guidance',
      runtime_guidance_original: 'Be quick',
    })
    expect((await client.ask('POST', path, { message: 'Late' })).status).toBe(409)
    const stored = await client.messages(conversationId)
    expect(stored.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Work'],
      ['user', '[guidance] Be quick'],
      ['assistant', 'Done.'],
    ])
  })

  it('tells where a conversation stands, and what to replay', async () => {
    const { client } = await start()
    const { taskId, conversationId } = await client.send('Send Ana an email')
    await client.until(taskId, is('tool_approval_required'))
    const path = `/api/conversations/${conversationId}`
    expect((await client.ask('GET', `${path}/running-status`)).body.data).toMatchObject({
      is_main_running: true,
      main_task_id: taskId,
      has_running_sub_agents: false,
      is_truly_active: true,
    })
    expect((await client.ask('GET', `${path}/bootstrap`)).body.data).toMatchObject({
      messages: [{ role: 'user' }, { role: 'user' }, { role: 'assistant' }],
      running: { main_task_id: taskId },
      task_replay: { task_id: taskId, needs_rebuild: true, replay_from: 0 },
    })
    const active = await client.ask('GET', '/api/tasks?status=active&workspace_id=friday')
    expect(active.body.data).toMatchObject([{ task_id: taskId, conversation_id: conversationId }])
    const stopped = await client.ask('GET', '/api/tasks?status=stopped,failed')
    expect(stopped.body.data).toEqual([])
  })

  it('keeps workspaces, conversations and files', async () => {
    const { client, server } = await start()
    const at = '/api/v1/workspaces'
    expect((await client.ask('POST', at, { workspace_id: 'a b' })).status).toBe(400)
    expect((await client.ask('POST', at, { workspace_id: 'mine' })).status).toBe(200)
    const made = await client.ask('POST', `${at}/mine/conversations`)
    const id = made.body.conversation_id
    const form = new FormData()
    form.set('file', new Blob(['x'.repeat(9)], { type: 'image/png' }), 'dusk.png')
    const uploaded = await fetch(`${server.url}/task-api${at}/mine/files/upload`, {
      method: 'POST',
      body: form,
    })
    expect(await uploaded.json()).toMatchObject({ path: 'uploads/dusk.png', size: 9 })
    const images = ['uploads/dusk.png']
    const { taskId } = await client.send('', { images, conversation_id: id }, 'mine')
    await client.until(taskId)
    expect((await client.messages(id ?? '', 'mine'))[0]).toMatchObject({ content: '', images })
    const list = await client.ask('GET', `${at}/mine/conversations`)
    expect(list.body).toMatchObject({ data: [{ id }], total: 1 })
    expect((await client.ask('GET', `${at}/friday/conversations/${id}`)).status).toBe(404)
    const brief = await client.ask('GET', `${at}/mine/conversations/${id}`)
    expect(brief.body.data).toMatchObject({ messages: null, messages_count: 3 })
    const file = await fetch(
      `${server.url}/task-api${at}/mine/files/download?path=uploads/dusk.png`,
    )
    expect(await file.text()).toBe('x'.repeat(9))
    expect((await client.ask('DELETE', `${at}/mine/conversations/${id}`)).status).toBe(200)
    expect((await client.ask('GET', `${at}/mine/conversations/${id}`)).status).toBe(404)
    expect((await client.ask('GET', `/api/v1/tasks/${taskId}`)).status).toBe(404)
  })

  it('refuses in words', async () => {
    const { client } = await start({ taskApi: { token: 'secret' } })
    const anonymous = await client.ask('GET', '/api/v1/workspaces')
    expect(anonymous).toEqual({ status: 401, body: { success: false, error: 'Unauthorized.' } })
    expect((await client.ask('GET', '/api/v1/health')).status).toBe(200)
    expect((await client.ask('GET', '/api/v1/models')).status).toBe(200)
    const { server } = await start({ taskApi: { token: 'secret' } })
    const known = new TaskClient(server.url, { authorization: 'Bearer secret' })
    const at = '/api/v1/workspaces/friday/messages'
    expect((await known.ask('POST', at, {})).status).toBe(400)
    expect((await known.ask('POST', at, { message: 'x', run_mode: 'slow' })).status).toBe(400)
    expect((await known.ask('POST', at, { message: 'x', conversation_id: 'none' })).status).toBe(
      404,
    )
    expect((await known.ask('GET', '/api/v1/tasks/none')).status).toBe(404)
    expect((await known.ask('GET', '/api/nothing')).status).toBe(404)
    const { taskId } = await known.send('Send Ana an email')
    const other = new TaskClient(server.url, {
      authorization: 'Bearer secret',
      'x-user-id': 'bob',
    })
    expect((await other.ask('GET', `/api/v1/tasks/${taskId}`)).status).toBe(404)
    const { events } = await known.until(taskId, is('tool_approval_required'))
    const id = events.find(is('tool_approval_required'))?.data.approval?.approval_id
    const path = `/api/tool-approvals/${id}/decision`
    expect((await other.ask('POST', path, { decision: 'approved' })).status).toBe(403)
  })

  it('does one task at a time in a conversation, in its classic version in a workspace', async () => {
    const at = '/api/v1/workspaces/friday/messages'
    const current = await start()
    const one = await current.client.send('Send Ana an email')
    const again = { message: 'Hello', conversation_id: one.conversationId }
    expect((await current.client.ask('POST', at, again)).status).toBe(409)
    expect((await current.client.ask('POST', at, { message: 'Hello' })).status).toBe(202)
    const classic = await start({ taskApi: { version: 'classic' } })
    const { taskId } = await classic.client.send('Send Ana an email')
    expect((await classic.client.ask('POST', at, { message: 'Hello' })).status).toBe(409)
    const { events } = await classic.client.until(taskId, is('tool_approval_required'))
    expect([events[0]?.type, events[0]?.data]).toEqual(['ai_message_start', {}])
    await classic.client.ask('POST', `/api/v1/tasks/${taskId}/cancel`)
    expect((await classic.client.until(taskId)).status).toBe('canceled')
  })

  it('forgets the oldest events without a word', async () => {
    const { client } = await start({ taskApi: { bufferSize: 5 } })
    const { taskId } = await client.send('Tell me a story')
    await expect
      .poll(() => client.page(taskId, 0), { interval: 5 })
      .toMatchObject({
        status: 'succeeded',
      })
    const { events, next_offset: next } = await client.page(taskId, 0)
    expect(events).toHaveLength(5)
    expect(events[0]?.idx).toBe(next - 5)
    expect((await client.page(taskId, 0, '/api'))['window_start']).toBe(next - 5)
  })

  it('tells the end before the last events, when it is to', async () => {
    const { client } = await start({ taskApi: { tailRace: 3 } })
    const { taskId } = await client.send('Hello?')
    const seen: PolledEvent[] = []
    let [from, status] = [0, 'running']
    while (status === 'running') {
      const page = await client.page(taskId, from)
      seen.push(...page.events)
      ;({ next_offset: from, status } = page)
    }
    expect(typesOf(seen)).not.toContain('task_complete')
    const rest = await client.page(taskId, from)
    expect(rest.events.length).toBeGreaterThan(0)
    expect(rest.events.at(-1)?.type).toBe('task_complete')
    expect((await client.page(taskId, rest.next_offset)).events).toEqual([])
  })

  it('forgets tasks that are over, when it is to', async () => {
    const { client } = await start({ taskApi: { forgetAfterMs: 0 } })
    const { taskId, conversationId } = await client.send('Send Ana an email')
    await client.until(taskId, is('tool_approval_required'))
    await client.ask('POST', `/api/v1/tasks/${taskId}/cancel`)
    await expect
      .poll(async () => (await client.ask('GET', `/api/v1/tasks/${taskId}`)).status, {
        interval: 5,
      })
      .toBe(404)
    expect((await client.messages(conversationId)).length).toBeGreaterThan(2)
  })

  it('hears of decisions that were made in another language, where a no does not end the run', async () => {
    const { client, server } = await start()
    const { taskId, conversationId } = await client.send('Send Ana an email')
    await client.until(taskId, is('tool_approval_required'))
    const headers = { 'X-User-ID': 'user', 'content-type': 'application/json' }
    const path = `/sessions/${conversationId}/messages?agent_id=friday`
    // JSON of our own server.
    const { messages } = (await (await fetch(`${server.url}${path}`, { headers })).json()) as {
      readonly messages: readonly { readonly id: string; readonly content: readonly object[] }[]
    }
    const { id: reply_id, content = [] } = messages.at(-1) ?? {}
    const confirm_results = [{ confirmed: false, tool_call: content.at(-1) }]
    const input = { type: 'USER_CONFIRM_RESULT', reply_id, confirm_results }
    await fetch(`${server.url}/chat/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ agent_id: 'friday', session_id: conversationId, input }),
    })
    const { events } = await client.until(taskId)
    expect(events.find(is('tool_approval_resolved'))?.data).toMatchObject({ decision: 'rejected' })
    expect(textOf(events)).toContain('Not sent.')
    expect(events.at(-1)?.type).toBe('task_complete')
  })

  it('shows a run that another language began, and lets it be answered here', async () => {
    const { client, server } = await start()
    const ask = (path: string, body: object) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'X-User-ID': 'user', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const created = await ask('/sessions/', { agent_id: 'friday' })
    // JSON of our own server.
    const { session_id: id } = (await created.json()) as { readonly session_id: string }
    const content = [{ type: 'text', text: 'Send Ana an email' }]
    const input = [{ name: 'user', role: 'user', content }]
    await ask('/chat/', { agent_id: 'friday', session_id: id, input })
    const active = async () =>
      (await client.ask('GET', `/api/conversations/${id}/running-status`)).body.data
    const taskId = String((await active())?.['main_task_id'])
    const { events } = await client.until(taskId, is('tool_approval_required'))
    const approval = events.find(is('tool_approval_required'))?.data.approval
    const path = `/api/tool-approvals/${approval?.approval_id}/decision`
    await client.ask('POST', path, { decision: 'approved' })
    expect(textOf((await client.until(taskId)).events)).toContain('Ana will have it')
  })
})
