import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import 'agentscope-react/styles.css'
import './demo.css'
import { App } from './App.js'
import { findService } from './Service.js'

const element = document.getElementById('app')
if (element === null) throw new Error('The page lost its #app element.')

const service = await findService()
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: 1 } } })

createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App service={service} />
    </QueryClientProvider>
  </StrictMode>,
)
