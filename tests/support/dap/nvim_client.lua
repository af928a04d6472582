-- A session of nvim-dap: nvim --headless --clean -l nvim_client.lua SNIPPET SOURCE PROGRAM...
-- SNIPPET is the Lua of docs/editors.md. Writes one line of JSON.
vim.opt.runtimepath:append(os.getenv('ZEDBG_NVIM_DAP'))
local snippet, source, program = arg[1], arg[2], arg[3]
dofile(snippet)
local dap = require('dap')
local config = vim.tbl_extend('force', dap.configurations.opencl[1], {
  program = program, args = vim.list_slice(arg, 4),
})
local stops, ended, output = {}, false, ''
dap.listeners.after.event_stopped.test = function(_, body) table.insert(stops, body.reason) end
dap.listeners.after.event_terminated.test = function() ended = true end
dap.listeners.after.event_output.test = function(_, body) output = output .. body.output end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    io.stderr:write('nothing came of: ' .. what .. '\n' .. output)
    os.exit(1)
  end
end

vim.cmd.edit(source)
vim.api.nvim_win_set_cursor(0, { 3, 0 })
dap.toggle_breakpoint()
dap.run(config)
local function frame()
  local session = dap.session()
  return session and session.current_frame
end
wait('the breakpoint', function() return #stops == 1 and frame() end)
local session = dap.session()
local found = { line = frame().line, threads = vim.tbl_count(session.threads) }
local answer
session:evaluate({ expression = 'i + 40', context = 'watch', frameId = frame().id }, function(_, body)
  answer = body
end)
wait('a value', function() return answer end)
found.value = answer.result
dap.step_over()
wait('a step', function() return #stops == 2 and frame() and frame().line == 4 end)
found.stepped = frame().line
dap.clear_breakpoints()
dap.continue()
wait('the end', function() return ended end)
found.output = output:match('vadd: [^\n]*')
found.stops = stops
io.stdout:write(vim.json.encode(found) .. '\n')
io.stdout:flush()
os.exit(0)
