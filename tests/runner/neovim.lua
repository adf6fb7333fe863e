-- A user of Neovim opens a script with mistakes, carries out a code action, renames a piece,
-- formats and saves. What was seen is written as JSON to the file `seen`.

local seen = { steps = {} }
local buffer = vim.api.nvim_get_current_buf()

local function finish()
  local file = io.open("seen", "w")
  file:write(vim.fn.json_encode(seen))
  file:close()
  vim.cmd("qall!")
end

-- Waits until the condition holds; gives up the whole run if it does not.
local function await(what, condition)
  if not vim.wait(20000, condition, 20) then
    seen.failed = what
    finish()
    error(what)
  end
  table.insert(seen.steps, what)
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

local function move_to(word)
  vim.fn.cursor(1, 1)
  vim.fn.search("\\<" .. word .. "\\>", "cW")
end

seen.filetype = vim.bo.filetype
seen.keyword = vim.fn.synIDattr(vim.fn.synID(1, 1, 1), "name")

await("diagnostics", function()
  return #vim.diagnostic.get(buffer) == 2
end)
seen.diagnostics = {}
for _, one in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(seen.diagnostics, { one.lnum, one.col, one.code, one.message })
end

-- The user takes the first of the offered actions.
vim.ui.select = function(items, _, choose)
  seen.action = items[1][2].title
  choose(items[1], 1)
end
move_to("rnk")
vim.lsp.buf.code_action()
await("code action", function()
  return not text():find("rnk")
end)

move_to("Man")
vim.lsp.buf.rename("Stone")
await("rename", function()
  return not text():find("Man") and text():find("put Stone of A")
end)

local hover = vim.lsp.buf_request_sync(buffer, "textDocument/hover",
  vim.lsp.util.make_position_params(), 5000)
for _, answer in pairs(hover or {}) do
  seen.hover = answer.result.contents.value
end

move_to("orthogonl")
vim.lsp.buf.code_action()
await("second code action", function()
  return text():find("orthogonal")
end)
await("no diagnostics", function()
  return #vim.diagnostic.get(buffer) == 0
end)

vim.lsp.buf.formatting_sync(nil, 5000)
vim.cmd("write")
table.insert(seen.steps, "saved")

-- The lens over the test, in a terminal.
vim.lsp.codelens.refresh()
await("lenses", function()
  return #vim.lsp.codelens.get(buffer) >= 2
end)
move_to("corner")
vim.ui.select = function(items, _, choose)
  for i, item in ipairs(items) do
    local lens = item.lens or item[2]
    if (lens.command or {}).title == "run this test" then
      choose(item, i)
      return
    end
  end
end
vim.lsp.codelens.run()
await("run in a terminal", function()
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  return vim.bo.buftype == "terminal" and table.concat(lines, "\n"):find("1 passed, 0 failed")
end)
finish()
