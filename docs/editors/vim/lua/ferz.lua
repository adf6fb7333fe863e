-- Starts `ferz lsp` for Ferz scripts, and runs the commands of its code lenses.
--
-- vim.g.ferz_command is the program with its first arguments; default {"ferz"}.

local M = {}

local function program()
  return vim.g.ferz_command or { "ferz" }
end

-- Runs ferz with the arguments of a lens in a terminal below.
local function run(words)
  return function(command)
    local path = vim.uri_to_fname(command.arguments[1])
    local line = vim.list_extend(vim.list_extend({}, program()), words)
    table.insert(line, path)
    vim.list_extend(line, command.arguments[2])
    vim.cmd("silent! wall")
    vim.cmd("botright new")
    vim.fn.termopen(line)
    vim.cmd("startinsert")
  end
end

-- The folder of the workspace: that of the repository, else that of the script.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  local found = vim.fn.finddir(".git", folder .. ";")
  return found ~= "" and vim.fn.fnamemodify(found, ":p:h:h") or folder
end

function M.start()
  local buffer = vim.api.nvim_get_current_buf()
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == "" or vim.fn.executable(program()[1]) == 0 then
    return
  end
  local options = {
    name = "ferz",
    cmd = vim.list_extend(vim.list_extend({}, program()), { "lsp" }),
    root_dir = root_of(path),
  }
  if vim.lsp.start then
    vim.lsp.start(options, { bufnr = buffer })
    return
  end
  -- Neovim 0.7: one server for each folder.
  for _, client in ipairs(vim.lsp.get_active_clients()) do
    if client.name == "ferz" and client.config.root_dir == options.root_dir then
      vim.lsp.buf_attach_client(buffer, client.id)
      return
    end
  end
  local id = vim.lsp.start_client(options)
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

vim.lsp.commands["ferz.runTest"] = run({ "test" })
vim.lsp.commands["ferz.play"] = run({ "play" })

return M
